# Proof of the event writer by programs of others, and its speed beside theirs.
# Needs Python 3 and a package index; PEERS_PYTHON=interpreter uses one that has
# tensorboard, "setuptools<81", tbparse and tensorboardX already.

.PHONY: test-peers bench-peers

test-peers:
	$(GO) test -tags peers -count 1 -v -run TestPeers ./shared/summary/peers

bench-peers:
	$(GO) test -tags peers -count 1 -v -run TestSpeed ./shared/summary/peers
