package summary

import pw "google.golang.org/protobuf/encoding/protowire"

// FileVersion stands in the first event of every file that is written today.
const FileVersion = "brain.Event:2"

// Fields of Event (tensorboard/compat/proto/event.proto).
const (
	eventWallTime    pw.Number = 1
	eventStep        pw.Number = 2
	eventFileVersion pw.Number = 3
	eventGraphDef    pw.Number = 4
	eventSummary     pw.Number = 5
	eventLogMessage  pw.Number = 6
	eventSessionLog  pw.Number = 7
	eventRunMetadata pw.Number = 8
	eventMetaGraph   pw.Number = 9
	eventSource      pw.Number = 10
)

// SessionStatus is what a SessionLog tells of a training process.
type SessionStatus int32

// The statuses.
const (
	SessionStarted    SessionStatus = 1
	SessionStopped    SessionStatus = 2
	SessionCheckpoint SessionStatus = 3
)

// Event is one event, as it stands in a record. Every field that is set is
// written; a sound event sets one of those between FileVersion and MetaGraph.
// Nothing of it is checked.
type Event struct {
	WallTime float64 // seconds since 1970
	Step     int64   // global step

	FileVersion    string
	GraphDef       []byte        // a serialised GraphDef
	Values         []Value       // a Summary
	Status         SessionStatus // a SessionLog; 0 for none
	CheckpointPath string        // of the SessionLog
	Message        string        // of the SessionLog
	LogMessage     string        // old text log
	RunMetadataTag string        // of RunMetadata
	RunMetadata    []byte        // a serialised RunMetadata
	MetaGraph      []byte        // a serialised MetaGraphDef
	SourceWriter   string        // name of the program that wrote the file

	// Extra is appended as it is: fields that are not named here, or garbage.
	Extra []byte
}

// Append appends the Event, as a record's payload, to dst.
func (e Event) Append(dst []byte) []byte {
	dst = putDouble(dst, eventWallTime, e.WallTime)
	dst = putVarint(dst, eventStep, e.Step)
	dst = putString(dst, eventFileVersion, e.FileVersion)
	dst = putBytes(dst, eventGraphDef, e.GraphDef)
	if len(e.Values) > 0 {
		var summary []byte
		for _, v := range e.Values {
			summary = mustBytes(summary, 1, v.Append(nil))
		}
		dst = mustBytes(dst, eventSummary, summary)
	}
	if e.LogMessage != "" {
		dst = mustBytes(dst, eventLogMessage, putString(nil, 2, e.LogMessage))
	}
	if e.Status != 0 || e.CheckpointPath != "" || e.Message != "" {
		log := putVarint(nil, 1, int64(e.Status))
		log = putString(log, 2, e.CheckpointPath)
		dst = mustBytes(dst, eventSessionLog, putString(log, 3, e.Message))
	}
	if e.RunMetadataTag != "" || len(e.RunMetadata) > 0 {
		dst = mustBytes(dst, eventRunMetadata, putBytes(putString(nil, 1, e.RunMetadataTag), 2, e.RunMetadata))
	}
	dst = putBytes(dst, eventMetaGraph, e.MetaGraph)
	if e.SourceWriter != "" {
		dst = mustBytes(dst, eventSource, putString(nil, 1, e.SourceWriter))
	}
	return append(dst, e.Extra...)
}

// appendScalarEvent appends an event with one old-style scalar: what
// Event.Append gives for it, without making the parts first. Scalars are nearly
// all that is ever written, and this keeps them free of allocations.
func appendScalarEvent(dst []byte, wall float64, step int64, tag string, v float32) []byte {
	value := 1 + pw.SizeBytes(len(tag)) + 5
	dst = putDouble(dst, eventWallTime, wall)
	dst = putVarint(dst, eventStep, step)
	dst = pw.AppendTag(dst, eventSummary, pw.BytesType)
	dst = pw.AppendVarint(dst, uint64(1+pw.SizeBytes(value)))
	dst = pw.AppendTag(dst, 1, pw.BytesType)
	dst = pw.AppendVarint(dst, uint64(value))
	dst = mustString(dst, 1, tag)
	return mustFloat(dst, pw.Number(FieldSimple), v)
}
