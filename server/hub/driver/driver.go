// Package driver is how viewers are run: as children of the hub on this machine (local),
// or as jobs of a cluster's scheduler (slurm).
//
// A viewer is told everything by its folder (server/hub/viewer): what it serves, the
// secret that it asks for, where it writes its address and its log. So a driver runs one
// command line and knows nothing of files or of HTTP, and a viewer whose hub was killed
// is found again by its folder.
package driver

import (
	"context"
	"time"
)

// Phase is what an engine says of a viewer. Whether it answers, and has found data, is
// found out by asking it, so RUNNING here is not yet the RUNNING that users see.
type Phase string

// The phases. They are those of Determined AI's instances.
const (
	Queued      Phase = "QUEUED"      // waits for its turn
	Pulling     Phase = "PULLING"     // the engine prepares a node
	Running     Phase = "RUNNING"     // its process is there
	Terminating Phase = "TERMINATING" // it is being ended
	Terminated  Phase = "TERMINATED"  // it has ended
	Lost        Phase = "LOST"        // the engine does not know it
)

// Spec is a viewer to start.
type Spec struct {
	ID      string   // the instance's UUID
	Dir     string   // its folder; the log is written to LogFile in it
	Command []string // program and arguments
	Name    string   // for people who look at the engine's own lists
	Slurm   Slurm
}

// LogFile is the name of a viewer's log in its folder.
const LogFile = "log"

// Slurm is what sbatch is told.
type Slurm struct {
	Partition  string   `json:"partition,omitempty"`
	Account    string   `json:"account,omitempty"`
	QOS        string   `json:"qos,omitempty"`
	Time       string   `json:"time,omitempty"`        // as sbatch takes it: 8:00:00
	CPUs       int      `json:"cpus,omitempty"`        // 1 without
	Memory     string   `json:"memory,omitempty"`      // as sbatch takes it: 512M
	SbatchArgs []string `json:"sbatch_args,omitempty"` // any others
	Export     []string `json:"export,omitempty"`      // further variables of the environment for the job
	Bind       string   `json:"bind,omitempty"`        // address or interface that the viewer listens on
}

// Ref names a viewer that was started. It is kept on disk.
type Ref struct {
	ID  string `json:"id"`
	Dir string `json:"dir"`
	Job string `json:"job,omitempty"` // the engine's own name; "" where the hub was killed before it heard of it
}

// State is what has become of a viewer.
type State struct {
	Phase  Phase
	Reason string // why it waits, or why it has ended, in words for the user
	Node   string // where it runs
	Job    string // the engine's own name, if the Ref had none
	Time   bool   // it was ended by a limit of time
}

// Driver runs viewers. Its methods may be called by several goroutines at once.
type Driver interface {
	// Name is "local" or "slurm".
	Name() string
	// Start returns as soon as the engine has taken the viewer. A *RefusedError means
	// that nothing was started, and nothing will be; after any other error it may have
	// been.
	Start(ctx context.Context, s Spec) (Ref, error)
	// States asks for all of refs at once. The answer is by instance ID; what the
	// engine does not know is Lost.
	States(ctx context.Context, refs []Ref) (map[string]State, error)
	// Kill ends a viewer, at once if force is set. It is nil for one that has ended.
	Kill(ctx context.Context, r Ref, force bool) error
	// Poll is how often States must be asked to hear of changes, while something is
	// about to change and otherwise. 0 means never: Changed tells.
	Poll() (busy, quiet time.Duration)
	// Changed gets a value when States would answer anew; nil if the driver cannot
	// know.
	Changed() <-chan struct{}
}

// RefusedError says why the engine did not take a viewer.
type RefusedError struct {
	Driver string
	Reason string // the engine's words
	Remedy string
}

// Error names driver, reason and remedy.
func (e *RefusedError) Error() string {
	s := "driver " + e.Driver + ": " + e.Reason
	if e.Remedy != "" {
		s += ": " + e.Remedy
	}
	return s
}

// CallError says that an engine could not be asked.
type CallError struct {
	Program string
	Reason  string
	Remedy  string
}

// Error names the program, the reason and the remedy.
func (e *CallError) Error() string { return e.Program + ": " + e.Reason + ": " + e.Remedy }
