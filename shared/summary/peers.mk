# Proof of the event writer and of profiles by programs of others, and the writer's speed
# beside theirs. Needs Python 3, node and a package index; PEERS_PYTHON=interpreter uses
# one that has tensorboard, "setuptools<81", tbparse and tensorboardX already,
# PEERS_PROFILE_PYTHON one that has tensorbored.

.PHONY: test-peers bench-peers test-plugins

# Front ends of published plug-ins, from their wheels, which bin/wheels keeps: versions and
# hashes stand in WHEELS. What is kept is proven, without a network; what is missing is fetched.
WHEELS := wasm/e2e/testdata/wheels/requirements.txt
GET_WHEELS := python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes -r $(WHEELS) -d bin/wheels
test-plugins: build
	.ci/install-browsers.sh
	@mkdir -p bin/wheels
	@$(GET_WHEELS) --no-index --find-links bin/wheels >/dev/null 2>&1 || $(GET_WHEELS) || { \
		echo "make test-plugins needs the wheels of $(WHEELS), 29 MB, and could not fetch them."; \
		echo "Without a network: on a machine that has one, in a copy of this directory, run"; \
		echo "  $(GET_WHEELS)"; \
		echo "and copy its bin/wheels here. A wheel with another hash than that file says is not used: remove it from bin/wheels."; \
		exit 1; }
	$(GO) test -tags peers -count 1 -v -run TestWheels ./wasm/e2e

test-peers: test-plugins
	$(GO) test -tags peers -count 1 -v -run TestPeers ./shared/summary/peers ./shared/profile/peers
	@# The package for training scripts, beside TensorBored's.
	@set -e; venv="$$(mktemp -d)"; trap 'rm -rf "$$venv"' EXIT; \
	python3 -m venv "$$venv"; "$$venv/bin/pip" install --quiet --pre tensorbored; \
	cd python; "$$venv/bin/python" -m tests.calls --check; echo "TensorBored answers as golden.json says"

bench-peers:
	$(GO) test -tags peers -count 1 -v -run TestSpeed ./shared/summary/peers
