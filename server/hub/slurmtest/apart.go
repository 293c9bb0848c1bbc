//go:build unix

package slurmtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
)

// FarHost is the name of the machine that Options.Apart makes.
const FarHost = "far-node"

// CanBeApart reports whether a node may be on a machine of its own: that takes the right
// to make network namespaces, which containers seldom give.
func CanBeApart() bool {
	_, err := exec.LookPath("ip")
	return err == nil && exec.Command("unshare", "--net", "--uts", "--mount", "ip", "link", "set", "lo", "up").Run() == nil
}

// Far is that machine's address.
func (c *Cluster) Far() string { return c.ip }

// choose chooses addresses for both ends of the line, of the block that is for tests.
func (c *Cluster) choose() {
	net := fmt.Sprintf("198.%d.%d.", 18+rand.IntN(2), rand.IntN(256))
	c.near, c.ip = net+"1", net+"2"
}

// runApart makes the machine and its line, at whose near end the controller listens;
// loopback here is not loopback there. The slurmd begins when the file far is there. The
// line goes with the last process there.
func (c *Cluster) runApart() {
	c.t.Helper()
	name := fmt.Sprintf("n%d", c.apart)
	line := fmt.Sprintf("far%d", rand.IntN(1e6))
	hosts := fmt.Sprintf("127.0.0.1 localhost\n%s %s\n", c.ip, FarHost)
	if err := os.WriteFile(c.at("hosts"), []byte(hosts), 0o644); err != nil {
		c.t.Fatal(err)
	}
	c.run("slurmd."+name, "unshare", "--net", "--uts", "--mount", "sh", "-ec", `hostname "$1"
mount --bind "$2" /etc/hosts
ip link set lo up
until ip link show "$3"; do sleep 0.05; done
ip addr add "$4/30" dev "$3"
ip link set "$3" up
until [ -e "$7" ]; do sleep 0.05; done
exec slurmd -D -f "$5" -N "$6"`, "sh", FarHost, c.at("hosts"), line, c.ip, c.Conf, name, c.at("far"))
	c.mu.Lock()
	pid := c.on["slurmd."+name].Process.Pid
	c.mu.Unlock()
	own := fmt.Sprintf("/proc/%d/ns/net", pid)
	// It has its own network a moment after it has begun.
	c.until("another network", func() error {
		ours, err := os.Readlink("/proc/self/ns/net")
		theirs, e := os.Readlink(own)
		if err == nil {
			err = e
		}
		if err == nil && ours == theirs {
			err = fmt.Errorf("it is in this one")
		}
		return err
	})
	for _, args := range [][]string{
		{"link", "add", line + "h", "type", "veth", "peer", "name", line, "netns", strconv.Itoa(pid)},
		{"addr", "add", c.near + "/30", "dev", line + "h"},
		{"link", "set", line + "h", "up"},
	} {
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			c.t.Fatalf("ip %q: %v: %s", args, err, out)
		}
	}
}
