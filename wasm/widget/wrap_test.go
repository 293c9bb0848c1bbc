package widget

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Nothing asks package dom to find out which of a hundred types a value of the browser
// has: with that the methods of all of them are in the program, 1 MB.
func TestNoExactTypes(t *testing.T) {
	bad := regexp.MustCompile(`dom\.(WrapEvent|WrapElement|WrapHTMLElement|WrapNode|WrapDocument|GetWindow)\(|\.(QuerySelector|QuerySelectorAll|GetElementByID|GetElementsByTagName|GetElementsByClassName|ParentElement|ParentNode|FirstChild|LastChild|NextSibling|PreviousSibling|ChildNodes|Target|CurrentTarget|CreateElement|CloneNode|ActiveElement)\(`)
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_js.go") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, found := range bad.FindAllString(string(text), -1) {
			t.Errorf("%s: %s…): use widget.Find, FindIn, FindAll, Listen, or a property by widget.Get", path, found)
		}
		return nil
	})
	if err != nil || files < 50 {
		t.Errorf("%d files, %v", files, err)
	}
}
