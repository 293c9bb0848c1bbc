package ports

import (
	"net"
	"testing"
)

// The system never gives one of ours to somebody who asks for any port.
func TestBelowTheSystems(t *testing.T) {
	free, err := Free(100)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer chosen.Close()
	if got := chosen.Addr().(*net.TCPAddr).Port; got < first() {
		t.Errorf("the system chose %d, which is below %d", got, first())
	}
	once := map[int]bool{}
	for _, p := range free {
		if once[p] || p < lowest || p >= first() {
			t.Errorf("%d twice, or not from %d to %d", p, lowest, first())
		}
		once[p] = true
	}
}

func TestListenAgain(t *testing.T) {
	l, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if l, err = net.Listen("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	l.Close()
}
