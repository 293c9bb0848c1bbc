//go:build azure

package main

import "github.com/tensorbored/tensorbored-static/server/objects/azure"

func init() { storeNamed("azblob").open = azure.Open }
