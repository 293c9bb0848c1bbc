package api

import "strings"

// ProjectorConfig is the name of the projector's configuration, whose directory
// also holds the pictures that it may name.
const ProjectorConfig = "projector_config.pbtxt"

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
		ext == "tsv", ext == "bytes", ext == "index",
		strings.HasPrefix(ext, "data-") && strings.Contains(ext, "-of-"), // a checkpoint's shards
		ext == "json" && dir == ".tensorboard":
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
