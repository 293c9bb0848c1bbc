// Package config reads projector_config.pbtxt: ProjectorConfig of TensorBoard's
// plugins/projector/projector_config.proto in protobuf's text format (its specification:
// protobuf.dev/reference/protobuf/textformat-spec). Fields that are not known are passed over.
package config

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// Config is what such a file says.
type Config struct {
	CheckpointPath string // model_checkpoint_path
	CheckpointDir  string // model_checkpoint_dir
	Embeddings     []Embedding
}

// Embedding is a tensor with what is known of it. Paths are as they are written.
type Embedding struct {
	TensorName, MetadataPath, BookmarksPath, TensorPath string
	Shape                                               []int64
	SpritePath                                          string
	SpriteDim                                           []int64 // width, height of one image
}

// Parse reads a file. Where it goes wrong, what came before is returned with the trouble.
func Parse(name string, b []byte) (Config, *tensor.Trouble) {
	p := &parser{text: string(b), line: 1}
	var c Config
	err := p.message(0, func(field string, v value) error {
		switch field {
		case "model_checkpoint_path":
			c.CheckpointPath = v.text
		case "model_checkpoint_dir":
			c.CheckpointDir = v.text
		case "embeddings":
			var e Embedding
			err := v.fields(func(field string, v value) error {
				switch field {
				case "tensor_name":
					e.TensorName = v.text
				case "metadata_path":
					e.MetadataPath = v.text
				case "bookmarks_path":
					e.BookmarksPath = v.text
				case "tensor_path":
					e.TensorPath = v.text
				case "tensor_shape":
					return v.number(&e.Shape)
				case "sprite":
					return v.fields(func(field string, v value) error {
						switch field {
						case "image_path":
							e.SpritePath = v.text
						case "single_image_dim":
							return v.number(&e.SpriteDim)
						}
						return v.skip()
					})
				}
				return v.skip()
			})
			c.Embeddings = append(c.Embeddings, e)
			return err
		}
		return v.skip()
	})
	if err != nil {
		return c, tensor.Wrong("config", name, "Correct the file; what stands before that line is used.", "Line %d: %v.", p.line, err)
	}
	return c, nil
}

// Inside returns where a path of a config leads, as a path in the logdir; dir is the config's. It
// is an error if that is outside the logdir, or if nobody can say. Older writers put absolute paths
// in configs: of those what follows the config's directory is taken, if known says that it is a file.
func Inside(dir, p string, known func(string) bool) (string, *tensor.Trouble) {
	slash := strings.ReplaceAll(p, "\\", "/")
	if strings.HasPrefix(slash, "/") || len(slash) > 1 && slash[1] == ':' {
		parts := strings.Split(strings.Trim(path.Clean(slash), "/"), "/")
		for i := range parts {
			if at := path.Join(dir, path.Join(parts[i:]...)); known(at) {
				return at, nil
			}
		}
		return "", outside(p)
	}
	at := path.Join(dir, slash)
	if at == ".." || strings.HasPrefix(at, "../") || strings.HasPrefix(at, "/") || strings.IndexByte(at, 0) >= 0 {
		return "", outside(p)
	}
	return at, nil
}

func outside(p string) *tensor.Trouble {
	return tensor.Wrong("outside", "", "Copy the file into the logdir and write its path relative to the config.", "The config names %q, which is outside the logdir.", short(p))
}

func short(p string) string {
	if r := []rune(p); len(r) > 200 {
		return "…" + string(r[len(r)-200:])
	}
	return p
}

// parser reads the text format in one go, without a schema.
type parser struct {
	text string
	at   int
	line int
}

// value is what stands behind a field's name, not read yet if it is a message.
type value struct {
	p       *parser
	depth   int
	text    string // of a scalar
	message byte   // its closing bracket, 0 for a scalar
}

// deepest bounds messages in messages.
const deepest = 50

func (v value) fields(use func(string, value) error) error {
	if v.message == 0 {
		return fmt.Errorf("a message is wanted in place of %q", short(v.text))
	}
	return v.p.until(v.message, v.depth, use)
}

func (v value) skip() error {
	if v.message == 0 {
		return nil
	}
	return v.fields(func(_ string, v value) error { return v.skip() })
}

func (v value) number(to *[]int64) error {
	n, err := strconv.ParseUint(v.text, 0, 32)
	if err != nil {
		return fmt.Errorf("%q is no number from 0 to 4294967295", short(v.text))
	}
	*to = append(*to, int64(n))
	return nil
}

func (p *parser) message(end byte, use func(string, value) error) error { return p.until(end, 0, use) }

func (p *parser) until(end byte, depth int, use func(string, value) error) error {
	if depth > deepest {
		return fmt.Errorf("messages stand in each other more than %d deep", deepest)
	}
	for {
		switch c := p.peek(); {
		case c == 0:
			if end != 0 {
				return fmt.Errorf("the file ends where %q is wanted", end)
			}
			if p.at < len(p.text) {
				return fmt.Errorf("a zero byte")
			}
			return nil
		case c == end:
			p.at++
			return nil
		}
		name, err := p.name()
		if err != nil {
			return err
		}
		c := p.peek()
		colon := c == ':'
		if colon {
			p.at++
			c = p.peek()
		}
		if c == '[' {
			p.at++
			for first := true; ; first = false {
				c := p.peek()
				if c == ']' {
					p.at++
					break
				}
				if !first {
					if c != ',' {
						return fmt.Errorf("a comma is wanted in a list")
					}
					p.at++
				}
				if err := p.one(name, depth, use); err != nil {
					return err
				}
			}
		} else if !colon && c != '{' && c != '<' {
			return fmt.Errorf("a colon must follow %s", name)
		} else if err := p.one(name, depth, use); err != nil {
			return err
		}
		if c := p.peek(); c == ',' || c == ';' {
			p.at++
		}
	}
}

// one reads a value and hands it on.
func (p *parser) one(name string, depth int, use func(string, value) error) error {
	v := value{p: p, depth: depth + 1}
	switch c := p.peek(); {
	case c == '{' || c == '<':
		p.at++
		v.message = map[byte]byte{'{': '}', '<': '>'}[c]
	case c == '"' || c == '\'':
		for c = p.peek(); c == '"' || c == '\''; c = p.peek() { // neighbours are one text
			s, err := p.quoted(c)
			if err != nil {
				return err
			}
			v.text += s
		}
	default:
		start := p.at
		for p.at < len(p.text) && (plain(p.text[p.at]) || strings.IndexByte("-+.", p.text[p.at]) >= 0) {
			p.at++
		}
		if v.text = p.text[start:p.at]; v.text == "" {
			return fmt.Errorf("a value must follow %s", name)
		}
	}
	return use(name, v)
}

func plain(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// name reads a field's name; that of an extension stands in brackets.
func (p *parser) name() (string, error) {
	start := p.at
	if p.text[p.at] == '[' {
		if i := strings.IndexByte(p.text[p.at:], ']'); i > 0 {
			p.at += i + 1
			return p.text[start:p.at], nil
		}
	}
	for p.at < len(p.text) && plain(p.text[p.at]) {
		p.at++
	}
	if p.at == start {
		return "", fmt.Errorf("a field's name is wanted in place of %q", p.text[p.at])
	}
	return p.text[start:p.at], nil
}

// peek passes white space and comments and returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '\n':
			p.line++
		case ' ', '\t', '\r', '\v', '\f':
		case '#':
			i := strings.IndexByte(p.text[p.at:], '\n')
			if i < 0 {
				p.at = len(p.text)
				return 0
			}
			p.at += i - 1
		case 0xef:
			if p.at == 0 && strings.HasPrefix(p.text, "\ufeff") {
				p.at = 2
				continue
			}
			return c
		default:
			return c
		}
	}
	return 0
}

// quoted reads a text in quotes with C's escapes.
func (p *parser) quoted(quote byte) (string, error) {
	var b strings.Builder
	for p.at++; p.at < len(p.text); {
		c := p.text[p.at]
		p.at++
		switch {
		case c == quote:
			return b.String(), nil
		case c == '\n':
			return "", fmt.Errorf("a text that does not end on its line")
		case c != '\\' || p.at == len(p.text):
			b.WriteByte(c)
			continue
		}
		c = p.text[p.at]
		p.at++
		digits := func(base, most int, n uint32) uint32 {
			for i := 0; i < most && p.at < len(p.text); i++ {
				d, err := strconv.ParseUint(p.text[p.at:p.at+1], base, 8)
				if err != nil {
					break
				}
				n = n*uint32(base) + uint32(d)
				p.at++
			}
			return n
		}
		switch c {
		case 'n', 't', 'r', 'a', 'b', 'f', 'v':
			b.WriteByte("\n\t\r\a\b\f\v"[strings.IndexByte("ntrabfv", c)])
		case 'x', 'X':
			b.WriteByte(byte(digits(16, 2, 0)))
		case 'u':
			b.WriteRune(rune(digits(16, 4, 0)))
		case 'U':
			b.WriteRune(rune(digits(16, 8, 0)))
		case '0', '1', '2', '3', '4', '5', '6', '7':
			b.WriteByte(byte(digits(8, 2, uint32(c-'0'))))
		default:
			b.WriteByte(c)
		}
	}
	return "", fmt.Errorf("a text that does not end")
}

// Checkpoint returns the newest prefix that a file "checkpoint" names (CheckpointState: field
// model_checkpoint_path), as it is written; "" if it names none.
func Checkpoint(b []byte) (newest string) {
	p := &parser{text: string(b), line: 1}
	_ = p.message(0, func(field string, v value) error {
		if field == "model_checkpoint_path" {
			newest = v.text
		}
		return v.skip()
	})
	return newest
}
