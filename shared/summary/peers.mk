# Proof of the event writer and of profiles by programs of others, and the writer's speed
# beside theirs. Needs Python 3, node and a package index; PEERS_PYTHON=interpreter uses
# one that has tensorboard, "setuptools<81", tbparse and tensorboardX already,
# PEERS_PROFILE_PYTHON one that has tensorbored.

.PHONY: test-peers bench-peers

test-peers:
	$(GO) test -tags peers -count 1 -v -run TestPeers ./shared/summary/peers ./shared/profile/peers
	@# The package for training scripts, beside TensorBored's.
	@set -e; venv="$$(mktemp -d)"; trap 'rm -rf "$$venv"' EXIT; \
	python3 -m venv "$$venv"; "$$venv/bin/pip" install --quiet --pre tensorbored; \
	cd python; "$$venv/bin/python" -m tests.calls --check; echo "TensorBored answers as golden.json says"

bench-peers:
	$(GO) test -tags peers -count 1 -v -run TestSpeed ./shared/summary/peers
