package summary

// SessionStart says that training starts, or starts again, at step: points of
// this run at that step and after it, from a process that ended, no longer
// count. TensorBoard acts on the second and later ones of a run; PyTorch writes
// one when it is given purge_step. Takes WallTime.
func (w *Writer) SessionStart(step int64, opts ...Option) error {
	s, err := gather("SessionStart", "", setWallTime, opts)
	if err != nil {
		return err
	}
	return w.event(Event{Step: step, Status: SessionStarted}, &s)
}
