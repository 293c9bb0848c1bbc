package hub

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tensorbored/tensorbored-static/server/hub/driver"
	"github.com/tensorbored/tensorbored-static/server/hub/store"
)

// Config is what the administrator's file, the user's file and a start say, each over the
// one before. The keys are those of the YAML.
type Config struct {
	Base            List     `yaml:"base,omitempty"`             // directories with <cluster>/tensorboard/experiment in them
	Cluster         string   `yaml:"cluster,omitempty"`          // the one to look in
	Experiments     List     `yaml:"experiments,omitempty"`      // files that name further experiments
	Driver          string   `yaml:"driver,omitempty"`           // local or slurm
	Description     string   `yaml:"description,omitempty"`      // in place of a made-up name
	IdleTimeout     Duration `yaml:"idle_timeout,omitempty"`     // an instance that nobody looks at ends after it; 0: never
	HubTimeout      Duration `yaml:"hub_timeout,omitempty"`      // a viewer that no hub looks after ends after it
	TensorboardArgs List     `yaml:"tensorboard_args,omitempty"` // --window_title, --reload_interval, --samples_per_plugin
	Slurm           Slurm    `yaml:"slurm,omitempty"`
	Port            int      `yaml:"port,omitempty"`          // the hub's port on loopback; any free one without
	PathPrefix      string   `yaml:"path_prefix,omitempty"`   // before the hub's addresses
	AllowedHosts    List     `yaml:"allowed_hosts,omitempty"` // further names that the hub is called by
}

// Slurm is what sbatch is told; see driver.Slurm.
type Slurm struct {
	Partition  string `yaml:"partition,omitempty"`
	Account    string `yaml:"account,omitempty"`
	QOS        string `yaml:"qos,omitempty"`
	Time       string `yaml:"time,omitempty"`
	CPUs       int    `yaml:"cpus,omitempty"`
	Memory     string `yaml:"mem,omitempty"`
	SbatchArgs List   `yaml:"sbatch_args,omitempty"`
	Export     List   `yaml:"export,omitempty"`
	Bind       string `yaml:"bind,omitempty"`
}

// hubKeys are those that say how the hub runs: a start comes too late for them.
var hubKeys = []string{"port", "path_prefix", "allowed_hosts"}

// List is a list, or one value for a list of one.
type List []string

// UnmarshalYAML reads either.
func (l *List) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*l = List{n.Value}
		return nil
	}
	return n.Decode((*[]string)(l))
}

// Duration is written as Go writes it (5m, 1h30m), or as a number of seconds; "never" is
// 0. Given tells 0 from nothing.
type Duration struct {
	time.Duration
	Given bool
}

// ParseDuration reads one.
func ParseDuration(text string) (Duration, error) {
	if text == "never" {
		return Duration{0, true}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		var seconds float64
		if seconds, err = strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e9 {
			d = time.Duration(seconds * float64(time.Second))
		}
	}
	if err != nil || d < 0 {
		return Duration{}, fmt.Errorf("%q is no duration: write 5m, 1h30m, a number of seconds, or never", text)
	}
	return Duration{d, true}, nil
}

// UnmarshalYAML reads one.
func (d *Duration) UnmarshalYAML(n *yaml.Node) (err error) {
	*d, err = ParseDuration(n.Value)
	return err
}

// MarshalYAML writes it as it is read.
func (d Duration) MarshalYAML() (any, error) {
	if d.Duration == 0 {
		return "never", nil
	}
	return d.Duration.String(), nil
}

// IsZero leaves out what was not given.
func (d Duration) IsZero() bool { return !d.Given }

// ConfigError says what is wrong with a configuration.
type ConfigError struct {
	Where  string // file or flag
	Reason string
	Remedy string
}

// Error names the place, the reason and the remedy.
func (e *ConfigError) Error() string { return e.Where + ": " + e.Reason + ": " + e.Remedy }

// Settings are a configuration as it is written: a tree of maps, lists and values.
type Settings map[string]any

// ParseSettings reads YAML. The error is a *ConfigError.
func ParseSettings(where string, text []byte) (Settings, error) {
	var s Settings
	if err := yaml.Unmarshal(text, &s); err != nil {
		return nil, &ConfigError{where, strings.ReplaceAll(err.Error(), "\n", " "), "write YAML, a line key: value for each setting"}
	}
	return s, nil
}

// Set sets one by k=v: dots nest, commas make lists, and what begins with [ or { is YAML.
func (s Settings) Set(text string) error {
	where := "--config " + text
	key, value, ok := strings.Cut(text, "=")
	if !ok || key == "" || strings.HasPrefix(key, ".") || strings.HasSuffix(key, ".") || strings.Contains(key, "..") {
		return &ConfigError{where, "is not key=value", "write for example --config slurm.partition=cpu"}
	}
	var v any
	switch {
	case strings.HasPrefix(value, "[") || strings.HasPrefix(value, "{"):
		if err := yaml.Unmarshal([]byte(value), &v); err != nil {
			return &ConfigError{where, strings.ReplaceAll(err.Error(), "\n", " "), "what begins with [ or { is read as YAML"}
		}
	case strings.Contains(value, ","):
		var list []any
		for part := range strings.SplitSeq(value, ",") {
			list = append(list, part)
		}
		v = list
	default:
		v = value
	}
	at := s
	parts := strings.Split(key, ".")
	for _, p := range parts[:len(parts)-1] {
		next, ok := at[p].(Settings)
		if !ok {
			if m, isMap := at[p].(map[string]any); isMap {
				next = m
			} else {
				next = Settings{}
			}
			at[p] = next
		}
		at = next
	}
	at[parts[len(parts)-1]] = v
	return nil
}

// Over puts b over a, key by key.
func Over(a, b Settings) Settings {
	out := Settings{}
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		x, isA := asMap(out[k])
		y, isB := asMap(v)
		if isA && isB {
			v = Over(x, y)
		}
		out[k] = v
	}
	return out
}

func asMap(v any) (Settings, bool) {
	switch m := v.(type) {
	case Settings:
		return m, true
	case map[string]any:
		return m, true
	}
	return nil, false
}

// Config reads all settings. The error is a *ConfigError.
func (s Settings) Config(where string) (Config, error) {
	var c Config
	if err := unknown(where, s, reflect.TypeFor[Config](), ""); err != nil {
		return c, err
	}
	// Numbers of --config are texts: as YAML they find their own type.
	text, err := yaml.Marshal(plain(s))
	if err == nil {
		d := yaml.NewDecoder(bytes.NewReader(text))
		if err = d.Decode(&c); errors.Is(err, os.ErrClosed) || err != nil && err.Error() == "EOF" {
			err = nil
		}
	}
	if err != nil {
		reason := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " ")
		return c, &ConfigError{where, reason, "docs/CLUSTER.md lists the keys and what they take"}
	}
	switch {
	case c.Driver != "" && c.Driver != "local" && c.Driver != "slurm":
		return c, &ConfigError{where, fmt.Sprintf("there is no driver %q", c.Driver), "local or slurm"}
	case c.Port < 0 || c.Port > 65535:
		return c, &ConfigError{where, fmt.Sprintf("port %d is none", c.Port), "give one from 1 to 65535, or leave it out"}
	case c.Slurm.CPUs < 0:
		return c, &ConfigError{where, "slurm.cpus is below 0", "leave it out for one"}
	}
	return c, nil
}

// plain lets texts that are numbers be numbers.
func plain(v any) any {
	switch v := v.(type) {
	case Settings:
		return plain(map[string]any(v))
	case map[string]any:
		out := yaml.Node{Kind: yaml.MappingNode}
		for _, k := range sortedKeys(v) {
			var key, value yaml.Node
			key.SetString(k)
			if s, ok := v[k].(string); ok {
				value = yaml.Node{Kind: yaml.ScalarNode, Value: s}
				if strings.ContainsAny(s, "\n\"'#:{}[]&*!|>%@`") || strings.TrimSpace(s) != s || s == "" {
					value.Style = yaml.DoubleQuotedStyle
				}
			} else if err := value.Encode(plain(v[k])); err != nil {
				continue
			}
			out.Content = append(out.Content, &key, &value)
		}
		return &out
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
		return v
	}
	return v
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// unknown finds keys that t has not.
func unknown(where string, s Settings, t reflect.Type, before string) error {
	names := map[string]reflect.Type{}
	var all []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		names[name] = t.Field(i).Type
		all = append(all, before+name)
	}
	for _, k := range sortedKeys(s) {
		t, ok := names[k]
		if !ok {
			slices.Sort(all)
			return &ConfigError{where, fmt.Sprintf("there is no setting %q", before+k), "there are " + strings.Join(all, ", ")}
		}
		if m, isMap := asMap(s[k]); isMap && t == reflect.TypeFor[Slurm]() {
			if err := unknown(where, m, t, before+k+"."); err != nil {
				return err
			}
		}
	}
	return nil
}

// AdminConfig is the administrator's file.
const AdminConfig = "/etc/tensorbored-static/hub.yaml"

// UserConfig is the user's file. TENSORBORED_HUB_CONFIG names another one, which then is
// read in place of both.
func UserConfig() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "tensorbored-static", "hub.yaml")
}

// ConfiguredSettings are those of the files. The error is a *ConfigError.
func ConfiguredSettings() (Settings, error) {
	files := []string{AdminConfig, UserConfig()}
	only := os.Getenv("TENSORBORED_HUB_CONFIG")
	if only != "" {
		files = []string{only}
	}
	all := Settings{}
	for _, name := range files {
		if name == "" {
			continue
		}
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) && only == "" {
			continue
		}
		if err != nil {
			return nil, &ConfigError{name, "cannot be read (" + err.Error() + ")", "check its permissions"}
		}
		s, err := ParseSettings(name, text)
		if err != nil {
			return nil, err
		}
		if _, err := s.Config(name); err != nil {
			return nil, err
		}
		all = Over(all, s)
	}
	return all, nil
}

// CheckStart finds settings of a start that are wrong, or come too late. The error is a
// *ConfigError.
func CheckStart(s Settings) error {
	for _, k := range hubKeys {
		if _, ok := s[k]; ok {
			return &ConfigError{"--config", k + " says how the hub runs", "write it to " + UserConfig() + " and start the hub anew: tensorbored-static hub --stop"}
		}
	}
	_, err := s.Config("--config")
	return err
}

// Store is where experiments are looked for.
func (c *Config) Store() *store.Store {
	return &store.Store{Bases: c.Base, Cluster: c.Cluster, Files: c.Experiments}
}

func (c *Config) slurm() driver.Slurm {
	return driver.Slurm{Partition: c.Slurm.Partition, Account: c.Slurm.Account, QOS: c.Slurm.QOS, Time: c.Slurm.Time, CPUs: c.Slurm.CPUs,
		Memory: c.Slurm.Memory, SbatchArgs: c.Slurm.SbatchArgs, Export: c.Slurm.Export, Bind: c.Slurm.Bind}
}

// idle is how long an instance may be without anybody who looks; 0 for ever.
func (c *Config) idle() time.Duration {
	if c.IdleTimeout.Given {
		return c.IdleTimeout.Duration
	}
	return 5 * time.Minute
}

// alone is how long a viewer goes on without a hub.
func (c *Config) alone() time.Duration {
	switch {
	case c.HubTimeout.Given:
		return c.HubTimeout.Duration
	case c.idle() == 0:
		return 24 * time.Hour
	}
	return max(10*time.Minute, 2*c.idle())
}
