//go:build unix

package slurmtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
	"time"

	"github.com/tensorbored/tensorbored-static/server/ports"
)

// accounts starts what keeps a cluster's accounts, which sacct reads: a MariaDB of this
// test alone, without tables of its own and without users, on loopback, and slurmdbd in
// front of it. It returns the lines of slurm.conf that name it.
func (c *Cluster) accounts() string {
	c.t.Helper()
	for _, program := range []string{"mariadbd", "slurmdbd", "sacctmgr", "sacct"} {
		if _, err := exec.LookPath(program); err != nil {
			c.t.Fatalf("%s is not installed: this test needs Slurm's accounts. Run .ci/install-slurm.sh, as make test does.", program)
		}
	}
	free, err := ports.Free(2)
	if err == nil {
		err = os.Mkdir(c.at("database"), 0o700)
	}
	me, e := user.Current()
	if err == nil {
		err = e
	}
	if err != nil {
		c.t.Fatal(err)
	}
	own := []string{"--no-defaults", "--datadir=" + c.at("database"),
		"--innodb-buffer-pool-size=16M", "--innodb-log-file-size=8M", "--skip-log-bin"}
	if os.Getuid() == 0 {
		own = append(own, "--user=root") // as which it else refuses to run
	}
	bootstrap := exec.Command("mariadbd", append(own, "--bootstrap", "--skip-networking")...)
	if out, err := bootstrap.CombinedOutput(); err != nil {
		c.t.Fatalf("mariadbd --bootstrap: %v: %s", err, out)
	}
	c.run("mariadbd", "mariadbd", append(own, "--skip-grant-tables", "--skip-name-resolve",
		"--bind-address=127.0.0.1", "--port="+strconv.Itoa(free[0]),
		"--socket="+c.at("mariadb.socket"), "--pid-file="+c.at("mariadb.pid"))...)
	c.until("mariadbd", func() error { return answers(free[0]) })
	conf := fmt.Sprintf(`AuthType=auth/munge
AuthInfo=socket=%[1]s/munge.socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=%[2]d
SlurmUser=%[3]s
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=%[4]d
StorageUser=test
StoragePass=test
StorageLoc=accounts
PidFile=%[1]s/slurmdbd.pid
`, c.Dir, free[1], me.Username, free[0])
	if err := os.WriteFile(c.at("slurmdbd.conf"), []byte(conf), 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.run("slurmdbd", "slurmdbd", "-D")
	c.until("slurmdbd", func() error { return answers(free[1]) })
	// The password names munge's socket; AuthInfo is not asked for it.
	return fmt.Sprintf(`AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=%d
AccountingStoragePass=%s
`, free[1], c.at("munge.socket"))
}

// answers reports whether something listens on a port.
func answers(port int) error {
	l, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), time.Second)
	if err == nil {
		l.Close()
	}
	return err
}

// endAccounts ends what accounts has started, in its order.
func (c *Cluster) endAccounts() {
	for _, name := range []string{"slurmdbd", "mariadbd"} {
		c.stop(name, syscall.SIGTERM)
	}
}
