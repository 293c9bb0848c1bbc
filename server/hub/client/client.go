// Package client speaks with the user's hub over its socket, and starts it where there is
// none.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/server/hub"
	"github.com/tensorbored/tensorbored-static/server/hub/state"
)

// startTime is how long a hub may take until it answers.
const startTime = 20 * time.Second

// Client speaks with a hub.
type Client struct {
	At    hub.At
	Token string
	http  *http.Client
}

// ErrNone is that no hub runs.
var ErrNone = errors.New("no hub runs")

// Dial finds the hub of a directory. The error is ErrNone where none answers, a
// *hub.StrangerError where the place is another user's, or a *hub.ElsewhereError.
func Dial(ctx context.Context, dir string) (*Client, error) {
	if err := hub.Own(dir); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, ErrNone
		}
		return nil, err
	}
	var at hub.At
	if err := state.ReadJSON(dir, hub.AtFile, &at); err != nil {
		return nil, ErrNone
	}
	host, _ := os.Hostname()
	if at.Host != host {
		return nil, ErrNone // whoever starts one finds out whether it lives
	}
	switch err := hub.Own(at.Socket); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNone
	case err != nil:
		return nil, err
	}
	token, err := os.ReadFile(filepath.Join(dir, hub.TokenFile))
	if err != nil {
		return nil, ErrNone
	}
	var d net.Dialer
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return d.DialContext(ctx, "unix", at.Socket) }
	// A socket that a killed hub has left refuses.
	c, err := dial(ctx, "", "")
	if err != nil {
		return nil, ErrNone
	}
	c.Close()
	return &Client{At: at, Token: strings.TrimSpace(string(token)), http: &http.Client{Transport: &http.Transport{DialContext: dial}}}, nil
}

// StartError says that no hub could be started.
type StartError struct{ Said string }

// Error passes on what it said.
func (e *StartError) Error() string {
	return "the hub did not start: " + e.Said
}

// Connect finds the hub of a directory, or starts one by launch, which returns what the
// hub's process prints when it ends.
func Connect(ctx context.Context, dir string, launch func() (<-chan string, error)) (*Client, error) {
	c, err := Dial(ctx, dir)
	if err == nil || !errors.Is(err, ErrNone) {
		return c, err
	}
	over, err := launch()
	if err != nil {
		return nil, &StartError{err.Error()}
	}
	last, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	said := ""
	for {
		if c, err := Dial(ctx, dir); err == nil || !errors.Is(err, ErrNone) {
			return c, err
		}
		select {
		case said = <-over:
			// Another command may have started one at the same moment: it has the lock, and
			// will answer.
			if over = nil; !strings.Contains(said, "runs in") {
				return nil, &StartError{strings.TrimSpace(said)}
			}
		case <-last.Done():
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, &StartError{fmt.Sprintf("it did not answer within %v; see %s", startTime, filepath.Join(dir, hub.LogFile))}
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// do asks for path below /api/.
func (c *Client) do(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://hub/api/"+path, in)
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.http.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, fmt.Errorf("the hub does not answer (%w): it may have been ended; try again", err)
	}
	if answer.StatusCode/100 == 2 {
		return answer, nil
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	return nil, &Error{answer.StatusCode, said(text)}
}

// said is a failure's message.
func said(text []byte) string {
	var f struct{ Message, Error, Remedy string }
	if json.Unmarshal(text, &f) == nil {
		if f.Message == "" {
			f.Message = f.Error
		}
		if f.Message != "" {
			if f.Remedy != "" {
				f.Message += ": " + f.Remedy
			}
			return f.Message
		}
	}
	return strings.TrimSpace(string(text))
}

// Error is what the hub answered.
type Error struct {
	Status int
	Text   string
}

// Error is the hub's own text.
func (e *Error) Error() string { return e.Text }

func (c *Client) get(ctx context.Context, method, path string, body, to any) error {
	answer, err := c.do(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if to == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(to)
}

// List are all instances.
func (c *Client) List(ctx context.Context) (l hub.Listed, err error) {
	return l, c.get(ctx, http.MethodGet, "instances", nil, &l)
}

// Names are the experiments that can be named.
func (c *Client) Names(ctx context.Context) (names []string, err error) {
	return names, c.get(ctx, http.MethodGet, "names", nil, &names)
}

// Start starts an instance.
func (c *Client) Start(ctx context.Context, q hub.Request) (s hub.Started, err error) {
	return s, c.get(ctx, http.MethodPost, "instances", q, &s)
}

// Instance is one, by its ID or the beginning of it.
func (c *Client) Instance(ctx context.Context, id string) (i hub.Instance, err error) {
	return i, c.get(ctx, http.MethodGet, "instances/"+url.PathEscape(id), nil, &i)
}

// Kill ends one.
func (c *Client) Kill(ctx context.Context, id string) (i hub.Instance, err error) {
	return i, c.get(ctx, http.MethodPost, "instances/"+url.PathEscape(id)+"/kill", struct{}{}, &i)
}

// Config is the configuration of one, as YAML.
func (c *Client) Config(ctx context.Context, id string) (string, error) {
	answer, err := c.do(ctx, http.MethodGet, "instances/"+url.PathEscape(id)+"/config", nil)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), err
}

// Logs is the log of one; with follow it ends when the instance does.
func (c *Client) Logs(ctx context.Context, id string, query url.Values) (io.ReadCloser, error) {
	answer, err := c.do(ctx, http.MethodGet, "instances/"+url.PathEscape(id)+"/logs?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// Stop ends the hub; its viewers go on.
func (c *Client) Stop(ctx context.Context) error {
	return c.get(ctx, http.MethodPost, "stop", nil, nil)
}

// Link is an address of the hub's port with the token in it.
func (c *Client) Link(path string) string {
	return c.At.Address + path + "?" + url.Values{"token": {c.Token}}.Encode()
}
