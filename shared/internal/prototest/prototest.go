// Package prototest makes oracles for tests: messages are decoded by Google's own
// implementation and a schema that is written down in the test, so that our code is
// not judged by code of its kind.
package prototest

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// Schema is a set of messages.
type Schema struct {
	messages protoreflect.MessageDescriptors
}

// Compile reads a schema: one message a line, its name, a colon, then fields "name
// number type" with commas between. Before a type, "*" makes it repeated, "?" gives
// a scalar presence that shows, and "name/" makes it a member of the oneof of that
// name. A map is a repeated message with key 1 and value 2, which is the same on the
// wire. A schema with a mistake panics.
func Compile(schema string) Schema {
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("oracle.proto"), Package: proto.String("oracle"), Syntax: proto.String("proto3"),
	}
	for line := range strings.Lines(strings.TrimSpace(schema)) {
		name, fields, _ := strings.Cut(strings.TrimSpace(line), ":")
		m := &descriptorpb.DescriptorProto{Name: &name}
		var optional []*descriptorpb.FieldDescriptorProto
		for field := range strings.SplitSeq(fields, ",") {
			part := strings.Fields(field)
			if len(part) == 0 {
				continue // a message without fields
			}
			f := newField(part[0], part[1], part[2], m)
			if f.Proto3Optional != nil {
				optional = append(optional, f)
			}
			m.Field = append(m.Field, f)
		}
		// Optional fields are members of oneofs of their own, behind the others.
		for _, f := range optional {
			f.OneofIndex = proto.Int32(int32(len(m.OneofDecl)))
			m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String("_" + *f.Name)})
		}
		file.MessageType = append(file.MessageType, m)
	}
	d, err := protodesc.NewFile(file, nil)
	if err != nil {
		panic(err)
	}
	return Schema{d.Messages()}
}

// newField makes a field of m.
func newField(name, number, kind string, m *descriptorpb.DescriptorProto) *descriptorpb.FieldDescriptorProto {
	n, err := strconv.Atoi(number)
	if err != nil {
		panic(err)
	}
	f := &descriptorpb.FieldDescriptorProto{
		Name: &name, Number: proto.Int32(int32(n)),
		Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
	}
	if oneof, rest, ok := strings.Cut(kind, "/"); ok {
		kind = rest
		i := len(m.OneofDecl)
		for k, o := range m.OneofDecl {
			if o.GetName() == oneof {
				i = k
			}
		}
		if i == len(m.OneofDecl) {
			m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: &oneof})
		}
		f.OneofIndex = proto.Int32(int32(i))
	}
	if rest, ok := strings.CutPrefix(kind, "?"); ok {
		kind, f.Proto3Optional = rest, proto.Bool(true)
	}
	if rest, ok := strings.CutPrefix(kind, "*"); ok {
		kind, f.Label = rest, descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	}
	if n, ok := descriptorpb.FieldDescriptorProto_Type_value["TYPE_"+strings.ToUpper(kind)]; ok {
		f.Type = descriptorpb.FieldDescriptorProto_Type(n).Enum()
	} else {
		f.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
		f.TypeName = proto.String(".oracle." + kind)
	}
	return f
}

// Decode parses b as the named message. Fields that the schema does not name are
// kept as unknown.
func (s Schema) Decode(name protoreflect.Name, b []byte) (protoreflect.Message, error) {
	m := dynamicpb.NewMessage(s.messages.ByName(name))
	return m, proto.Unmarshal(b, m)
}

// Get follows a path from m: names of fields, and numbers for elements of lists.
func Get(m protoreflect.Message, path ...any) protoreflect.Value {
	v := protoreflect.ValueOfMessage(m)
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.Message().Get(Field(v.Message(), p))
		case int:
			v = v.List().Get(p)
		}
	}
	return v
}

// Has reports whether a field of m is set.
func Has(m protoreflect.Message, name string) bool { return m.Has(Field(m, name)) }

// Which returns the name of the member of a oneof of m that is set, "" for none.
func Which(m protoreflect.Message, oneof string) string {
	f := m.WhichOneof(m.Descriptor().Oneofs().ByName(protoreflect.Name(oneof)))
	if f == nil {
		return ""
	}
	return string(f.Name())
}

// Field returns the descriptor of a field of m.
func Field(m protoreflect.Message, name string) protoreflect.FieldDescriptor {
	return m.Descriptor().Fields().ByName(protoreflect.Name(name))
}
