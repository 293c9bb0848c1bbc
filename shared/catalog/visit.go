package catalog

// Visit returns a file whose records are given to visit, in order, and not kept: for
// who wants to see all of a file in bounded memory. It is read like any other, by a
// Reader, so it finds the same records and the same damage; Losses says what was lost.
//
// visit gets the payload of each whole record, to be used until it returns, and the
// record's offset in the file. An error that it returns is counted as a loss of the
// record, by the error's text. At the end of the file visit is also given what only
// bytes behind that end could take back; so a file that has been read to its end must
// not be read on when it grows.
func Visit(run, path string, visit func(payload []byte, offset int64) error) *File {
	f := New().Run(run).AddFile(path)
	f.visit = visit
	return f
}
