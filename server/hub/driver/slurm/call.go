package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub/driver"
)

// callTime is how long one of Slurm's programs may take. They try again for a minute and
// more by themselves, where they cannot reach the controller or the queue is full.
const callTime = 20 * time.Second

// output is what a program printed.
type output struct {
	stdout, stderr string
	code           int
	late           bool // it was ended after callTime
}

// call runs one of Slurm's programs. The error is a *driver.CallError: it could not be
// run. What the program itself says is wrong is in the output.
func (d *Driver) call(ctx context.Context, stdin, program string, args ...string) (output, error) {
	if d.conf != "" {
		// Without this the program would try for a minute and then say less.
		f, err := os.Open(d.conf)
		if err != nil {
			return output{}, &driver.CallError{Program: program, Reason: "the file that SLURM_CONF names cannot be read (" + err.Error() + ")", Remedy: "correct SLURM_CONF, or unset it"}
		}
		f.Close()
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return output{}, &driver.CallError{Program: program, Reason: "it is not on the PATH", Remedy: "start the hub on a login node of the cluster, after module load slurm where that is needed, or use --driver local"}
	}
	limited, cancel := context.WithTimeout(ctx, d.callTime)
	defer cancel()
	cmd := exec.CommandContext(limited, path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	// Formats of times and numbers must not depend on the user's settings.
	env := os.Environ()
	if program == "sbatch" {
		env = lean(env) // the job gets it
	}
	cmd.Env = append(env, "LC_ALL=C", "SLURM_TIME_FORMAT=standard")
	if d.conf != "" {
		cmd.Env = append(cmd.Env, "SLURM_CONF="+d.conf)
	}
	d.calls.Add(1)
	err = cmd.Run()
	o := output{stdout: out.String(), stderr: strings.TrimSpace(errs.String())}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return o, ctx.Err()
	case limited.Err() != nil:
		o.late = true
	case errors.As(err, &exit):
		o.code = exit.ExitCode()
	case err != nil:
		return o, &driver.CallError{Program: program, Reason: err.Error(), Remedy: "try it on the command line"}
	}
	return o, nil
}

// lean is what sbatch, and with it a job, gets of an environment: what a viewer needs, what
// tells sbatch how to reach the cluster, and the user's defaults for it.
func lean(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !slices.Contains(passed, name) && !slices.Contains(reach, name) && !strings.HasPrefix(name, "SBATCH_")
	})
}

// reach are the variables by which Slurm's programs find and convince the cluster.
var reach = []string{"SLURM_CONF", "SLURM_CLUSTERS", "SLURM_JWT", "LD_LIBRARY_PATH"}

// said is what a program complained of, without its name before each line.
func (o output) said() string {
	var lines []string
	for line := range strings.SplitSeq(o.stderr, "\n") {
		_, text, ok := strings.Cut(line, ": error: ")
		if !ok {
			text = line
		}
		if text = strings.TrimSpace(strings.TrimPrefix(text, "error: ")); text != "" && !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "; ")
}

// failed is the error of a program that did not do what was asked.
func (o output) failed(program string, limit time.Duration) error {
	switch {
	case o.late:
		reason := fmt.Sprintf("no answer within %v", limit)
		if said := o.said(); said != "" {
			reason += "; it said: " + said
		}
		return &driver.CallError{Program: program, Reason: reason, Remedy: "is the cluster's controller up? Try sinfo"}
	case o.code != 0:
		return &driver.CallError{Program: program, Reason: o.said(), Remedy: "is the cluster's controller up? Try sinfo"}
	}
	return nil
}
