//go:build gcs

package main

import "github.com/tensorbored/tensorbored-static/server/objects/gcs"

func init() { storeNamed("gs").open = gcs.Open }
