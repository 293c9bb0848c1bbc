//go:build s3

package main

import "github.com/tensorbored/tensorbored-static/server/objects/s3"

func init() { storeNamed("s3").open = s3.Open }
