package api

import "strings"

// ProjectorConfig is the name of the projector's configuration, whose directory
// also holds the pictures that it may name.
const ProjectorConfig = "projector_config.pbtxt"

// Tensors says whether a file is one by which the projector finds tensors, by its path: a
// configuration, a checkpoint's index, arrays. A .tsv is one only if a configuration names it.
func Tensors(path string) bool {
	for _, end := range [...]string{ProjectorConfig, ".index", ".npy", ".npz", ".safetensors"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	return strings.Contains(name, ".ckpt-") && !strings.Contains(name, ".data-") && !strings.Contains(name, "tfevents")
}

// Graph says whether a file may hold a model's graph, by its path.
func Graph(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for _, end := range [...]string{".pb", ".pbtxt", ".onnx"} {
		if strings.HasSuffix(strings.ToLower(name), end) {
			return name != ProjectorConfig
		}
	}
	return strings.HasSuffix(strings.ToLower(name), ".json") && kerasName(name)
}

// KindOf says whether a file is listed, by its name and that of the directory
// that holds it (base names both), and as what; "" means not. besideConfig is
// true when the directory also holds a ProjectorConfig.
//
// The rule for event files is TensorBoard's: the base name contains "tfevents"
// anywhere (backend/event_processing/io_wrapper.py). That includes
// "….profile-empty", which holds nothing to read but makes its directory a run.
func KindOf(dir, name string, besideConfig bool) Kind {
	if strings.Contains(name, "tfevents") {
		return Event
	}
	ext := ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		ext = strings.ToLower(name[i+1:])
	}
	switch {
	case name == ProjectorConfig,
		name == "hparams.yaml", // PyTorch Lightning's hyperparameters
		name == "checkpoint",   // names the newest checkpoint
		ext == "tsv", ext == "bytes", ext == "index", ext == "npy", ext == "npz", ext == "safetensors",
		strings.HasPrefix(ext, "ckpt-"),                                  // checkpoints of version 1
		strings.HasPrefix(ext, "data-") && strings.Contains(ext, "-of-"), // a checkpoint's shards
		Graph(name),
		(ext == "json" || ext == "tbdigest") && dir == ".tensorboard":
		return Companion
	case besideConfig && (ext == "txt" || ext == "csv" || ext == "json" || ext == "bin"): // bookmarks, vectors by other names
		return Companion
	case ext == "png", ext == "jpg", ext == "jpeg":
		// Only the projector reads picture files; a directory full of rendered
		// frames must not fill the listing.
		if besideConfig || strings.HasPrefix(name, "sprite") {
			return Companion
		}
	}
	return ""
}

// kerasName says whether a .json is named as the configuration of a Keras model is.
func kerasName(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "model") || strings.Contains(name, "keras") || strings.Contains(name, "architecture")
}
