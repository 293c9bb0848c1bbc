// Package peers holds the proof that TensorBored takes our profiles and we its; see
// peers_test.go, which needs the tag peers.
package peers
