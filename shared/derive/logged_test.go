package derive

import "testing"

// What was logged under a name like that of an expression is no expression, and is called
// as it was logged.
func TestLoggedFirst(t *testing.T) {
	defer SetLogged(nil)
	SetLogged(map[string]bool{"={loss}": true})
	if IsName("={loss}") || Text("={loss}") != "={loss}" {
		t.Errorf("a logged tag: %v %q", IsName("={loss}"), Text("={loss}"))
	}
	if !IsName("={acc}") || Text("={acc}") != "acc" {
		t.Errorf("an expression: %v %q", IsName("={acc}"), Text("={acc}"))
	}
}
