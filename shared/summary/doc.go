// Package summary writes TensorBoard event files without TensorFlow.
//
// A Writer appends events to one file of one run:
//
//	w, err := summary.NewWriter("logs/run1", summary.Options{})
//	if err != nil { … }
//	w.Scalar("loss/train", 0.25, step)
//	w.Histogram("weights/fc1", values, step)
//	err = w.Close() // reports what a call before may have left unsaid
//
// There is one method per kind of data: Scalar, Scalars, Histogram, Image,
// Images, Video, Audio, Text, Graph, Embedding, PRCurve, Mesh, HParams and its
// parts, CustomScalars, SessionStart; and Raw for everything else. Each takes
// the global step and, behind it, Options: wall time, display name,
// description, and the form in which the kind is stored.
//
// # Layers
//
// encode.go and tensor.go turn Go values into protocol buffer fields,
// value.go makes a Summary.Value, event.go an Event, writer.go a record in a
// queue, file.go a file. The layers above the Writer are pure functions, so
// that tests make event bytes without files: see Buffer, Event.Append and the
// …Value functions. Package damage breaks such bytes in the ways in which
// disks and killed processes do.
//
// # Odd input
//
//   - A scalar may be NaN or infinite; it is stored as it is.
//   - Histogram leaves non-finite values out, writes the others, and returns a
//     *NonFiniteError that counts them. No values at all make an empty histogram.
//   - Where a non-finite value can only be a mistake (wall time, mesh,
//     embedding, prediction, audio sample) nothing is written and a
//     *ValueError says which value it was.
//   - A tag may hold any character but NUL, "/" included. An empty tag, NUL and
//     invalid UTF-8 are a *TagError: readers lose the whole record, or the whole
//     run, to them. Raw does not check.
//   - A tag is of one kind in a run. The Writer does not watch over that; readers
//     go by the first event of a tag and drop the others.
//   - Steps may go back; readers take that for a restart (see SessionStart).
//   - An image without pixels is a *ValueError.
//   - After Close every call returns ErrClosed; closing again is harmless.
//   - A failed write is a *WriteError. It sticks: every later call returns it,
//     because a file with a hole in it cannot be appended to.
//
// The formats are TensorFlow's and TensorBoard's: tensorboard/compat/proto and
// tensorboard/plugins/*/plugin_data.proto name the fields used here.
package summary
