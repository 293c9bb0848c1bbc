package summary

// Graph writes a run's graph: a serialised GraphDef, of which a GraphBuilder
// makes small ones. Readers keep one per run. Takes WallTime.
func (w *Writer) Graph(graphDef []byte, step int64, opts ...Option) error {
	s, err := gather("Graph", "", setWallTime, opts)
	if err != nil {
		return err
	}
	if len(graphDef) == 0 {
		return &ValueError{"Graph", "", "the graph is empty"}
	}
	return w.event(Event{Step: step, GraphDef: graphDef}, &s)
}

// RunMetadata writes what one step of the graph cost: a serialised RunMetadata
// (compute times, memory), under a tag. Takes WallTime.
func (w *Writer) RunMetadata(tag string, runMetadata []byte, step int64, opts ...Option) error {
	s, err := gather("RunMetadata", tag, setWallTime, opts)
	if err != nil {
		return err
	}
	if err := checkTag(tag); err != nil {
		return err
	}
	return w.event(Event{Step: step, RunMetadataTag: tag, RunMetadata: runMetadata}, &s)
}

// TraceGraph writes a serialised RunMetadata whose function graphs are drawn as
// the graph of the tag, as TensorFlow 2's trace_export does.
func (w *Writer) TraceGraph(tag string, runMetadata []byte, step int64, opts ...Option) error {
	return w.graphBlob("TraceGraph", tag, "graph_run_metadata_graph", runMetadata, step, opts)
}

// KerasModel writes a model's JSON (model.to_json() in Keras), drawn as its
// conceptual graph.
func (w *Writer) KerasModel(tag string, model []byte, step int64, opts ...Option) error {
	return w.graphBlob("KerasModel", tag, "graph_keras_model", model, step, opts)
}

func (w *Writer) graphBlob(call, tag, plugin string, blob []byte, step int64, opts []Option) error {
	s, err := gather(call, tag, common, opts)
	if err != nil {
		return err
	}
	m := s.metadata(plugin, []byte("1"))
	return w.value(TensorValue(tag, StringTensor(nil, string(blob)), m), step, &s)
}
