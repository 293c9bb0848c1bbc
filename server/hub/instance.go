package hub

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// State is what a user sees of an instance. The names are Determined's.
type State string

// The states, in the order in which an instance goes through them.
const (
	Queued      State = "QUEUED"      // the cluster has no room yet
	Pulling     State = "PULLING"     // the cluster prepares a node
	Starting    State = "STARTING"    // its process is there, its address is not
	Waiting     State = "WAITING"     // it answers, and there is no record yet
	Running     State = "RUNNING"     // there is something to see
	Terminating State = "TERMINATING" // it is being ended
	Terminated  State = "TERMINATED"
)

// Instance is a viewer as the hub's API tells of it.
type Instance struct {
	ID          string       `json:"id"`
	Owner       string       `json:"username"`
	Description string       `json:"description"`
	State       State        `json:"state"`
	Reason      string       `json:"reason,omitempty"` // why it waits
	Experiments []ID         `json:"experimentIds"`
	Trials      []ID         `json:"trialIds"`
	ExitStatus  *string      `json:"exitStatus"` // null as long as it runs
	Driver      string       `json:"driver"`
	Job         string       `json:"job,omitempty"`
	Node        string       `json:"node,omitempty"`
	Sources     []state.Root `json:"sources"`
	Path        string       `json:"path"` // of its page, from the hub's own
	Start       time.Time    `json:"startTime"`
	Ready       *time.Time   `json:"readyTime,omitempty"`
	End         *time.Time   `json:"endTime,omitempty"`
	Idle        float64      `json:"idleTimeout"`    // seconds; 0: never
	Age         float64      `json:"age"`            // seconds since the start, by the hub's clock
	Seen        float64      `json:"seen,omitempty"` // seconds since somebody looked
}

// Live reports whether it has not ended.
func (i *Instance) Live() bool { return i.State != Terminated }

// ID is an experiment's or a trial's: a number, or a name of experiments.yaml.
type ID string

// MarshalJSON writes numbers as such.
func (i ID) MarshalJSON() ([]byte, error) {
	if n, err := strconv.ParseInt(string(i), 10, 63); err == nil && strconv.FormatInt(n, 10) == string(i) {
		return []byte(i), nil
	}
	return json.Marshal(string(i))
}

// UnmarshalJSON reads both.
func (i *ID) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, (*string)(i))
	}
	*i = ID(text)
	return nil
}

// record is an instance on disk.
type record struct {
	Instance
	Ref    driver.Ref `json:"ref"`
	Ending string     `json:"ending,omitempty"` // why the hub ends it; "" as long as it does not
	Taken  bool       `json:"taken"`            // the driver has answered
	Config string     `json:"config"`           // as YAML, for the command config
}

// instance is one in memory. Its fields belong to the hub's lock.
type instance struct {
	record
	dir    string
	secret string
	idle   time.Duration

	endpoint *state.Endpoint
	answers  string    // the address of endpoint that answered
	last     time.Time // somebody looked
	over     time.Time // it ended, by this hub's clock
	open     int       // answers under way
	killed   time.Time // when the driver was last told to end it
	tries    int       // how often
	ready    bool
	waits    bool // it answered that there is nothing yet
	looking  bool // its start is under way
	awaited  bool // a goroutine waits until it answers
	stir     chan struct{}
	expected time.Time // since when it may answer soon
	phase    driver.Phase
}

// newInstance is one with that folder.
func newInstance(dir string) *instance {
	return &instance{dir: dir, stir: make(chan struct{}, 1)}
}

// shown is the instance as the API tells of it now.
func (i *instance) shown(now time.Time) Instance {
	s := i.Instance
	s.Age = max(0, now.Sub(i.Start).Seconds())
	if !i.last.IsZero() && s.Live() {
		s.Seen = now.Sub(i.last).Seconds()
		if i.open > 0 {
			s.Seen = 0
		}
	}
	return s
}
