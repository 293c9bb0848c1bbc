package widget

import (
	"time"

	"honnef.co/go/js/dom/v2"
)

// Task is a line in the corner of the page about work that takes its time. It outlasts what it
// was begun from: a dialog that has closed, a dashboard that was left.
type Task struct {
	el, text, stop dom.HTMLElement
	scope          *Scope
	cancel         func()
}

// lastWords is how long an ended task can be read.
const lastWords = 8 * time.Second

// NewTask shows a task. cancel is called once at most, when the user gives it up; nil
// means that it cannot be.
func NewTask(title string, cancel func()) *Task {
	t := &Task{cancel: cancel, text: New("span", "quiet"), scope: &Scope{}}
	t.scope.Do(func() {
		t.stop = IconButton("x", "Cancel", func() {
			if t.cancel == nil {
				t.close()
				return
			}
			stop := t.cancel
			t.cancel = nil
			stop()
		})
	})
	t.el = New("div", "task", Attr{"role", "status"}, New("b", "", title), t.text, t.stop)
	tasks().AppendChild(t.el)
	return t
}

// tasks is the corner of the page for tasks and other news.
func tasks() dom.Element {
	list := Find(".tasks")
	if list == nil {
		list = New("div", "tasks")
		Body(list)
	}
	return list
}

// Say shows how far the task has come.
func (t *Task) Say(text string) { Text(t.text, text) }

// End shows how it ended, for a while.
func (t *Task) End(text string) {
	t.cancel = nil
	t.Say(text)
	t.stop.SetTitle("Close")
	t.stop.SetAttribute("aria-label", "Close")
	time.AfterFunc(lastWords, t.close)
}

func (t *Task) close() {
	t.el.Remove()
	t.scope.Close()
}
