# Proof of the event writer and of profiles by programs of others, and the writer's speed
# beside theirs. Needs Python 3, node and a package index; PEERS_PYTHON=interpreter uses
# one that has tensorboard, "setuptools<81", tbparse and tensorboardX already,
# PEERS_PROFILE_PYTHON one that has tensorbored.

.PHONY: test-peers bench-peers test-plugins

# Front ends of published plug-ins, from their wheels, which bin/wheels keeps.
test-plugins:
	.ci/install-browsers.sh
	@set -e; mkdir -p bin/wheels; for p in torch-tb-profiler==0.4.3 tensorboard-plugin-3d==1.0.3 tensorboard-plugin-wit==1.8.1; do \
		ls bin/wheels/$$(echo "$${p%%=*}" | tr - _)-* >/dev/null 2>&1 || python3 -m pip download --quiet --no-deps -d bin/wheels "$$p"; \
	done
	$(GO) test -tags peers -count 1 -v -run TestWheels ./wasm/e2e

test-peers: test-plugins
	$(GO) test -tags peers -count 1 -v -run TestPeers ./shared/summary/peers ./shared/profile/peers
	@# The package for training scripts, beside TensorBored's.
	@set -e; venv="$$(mktemp -d)"; trap 'rm -rf "$$venv"' EXIT; \
	python3 -m venv "$$venv"; "$$venv/bin/pip" install --quiet --pre tensorbored; \
	cd python; "$$venv/bin/python" -m tests.calls --check; echo "TensorBored answers as golden.json says"

bench-peers:
	$(GO) test -tags peers -count 1 -v -run TestSpeed ./shared/summary/peers
