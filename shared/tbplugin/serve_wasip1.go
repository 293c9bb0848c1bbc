//go:build wasip1

package tbplugin

import (
	"context"
	"errors"
	"unsafe"
)

// Goroutines run only while the host is inside of an export. So each export waits until the
// goroutine that it woke has answered, or waits for the host again.

//go:wasmimport tb respond
func hostRespond(id uint32, p unsafe.Pointer, n uint32)

//go:wasmimport tb call
func hostCall(id uint32, p unsafe.Pointer, n uint32)

// waiting is a call of the host that has no answer yet.
type waiting struct {
	answer chan []byte
	parked chan struct{} // of its goroutine
}

var (
	buffers = map[unsafe.Pointer][]byte{} // given to the host, which fills them
	calls   = map[uint32]*waiting{}
	lastID  uint32
)

//go:wasmexport alloc
func alloc(n uint32) unsafe.Pointer {
	b := make([]byte, max(n, 1))
	p := unsafe.Pointer(&b[0])
	buffers[p] = b
	return p
}

func take(p unsafe.Pointer, n uint32) []byte {
	b := buffers[p]
	delete(buffers, p)
	return b[:n]
}

func bytesOf(b []byte) (unsafe.Pointer, uint32) {
	return unsafe.Pointer(unsafe.SliceData(b)), uint32(len(b))
}

//go:wasmexport request
func request(id uint32, p unsafe.Pointer, n uint32) {
	message, parked := take(p, n), make(chan struct{})
	go func() {
		var out []byte
		if plugin == nil {
			out = text(500, "the back end registered no plug-in: call tbplugin.Register in an init function")
		} else {
			out = serve(context.Background(), plugin, message, func(m []byte) ([]byte, error) {
				lastID++
				w := &waiting{make(chan []byte), parked}
				calls[lastID] = w
				q, size := bytesOf(m)
				hostCall(lastID, q, size)
				parked <- struct{}{} // lets the export return
				a := <-w.answer
				if len(a) < 4 {
					return nil, errors.New("the host's answer is torn")
				}
				return a, nil
			})
		}
		q, size := bytesOf(out)
		hostRespond(id, q, size)
		parked <- struct{}{}
	}()
	<-parked
}

//go:wasmexport reply
func reply(id uint32, p unsafe.Pointer, n uint32) {
	w := calls[id]
	message := take(p, n)
	if w == nil {
		return
	}
	delete(calls, id)
	w.answer <- message
	<-w.parked
}

// Serve does nothing in a reactor: it serves as soon as it is loaded.
func Serve() {}
