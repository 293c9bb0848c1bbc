#!/usr/bin/env python3
"""What TensorBoard's graph plug-in makes of the files in shared/graph/testdata, into
texts.json.gz.

    pip install tensorboard==2.16.2 "setuptools<81"
    python make_texts.py

{file: the answer of the plug-in's route "graph"}.
"""
import gzip, json, os
from tensorboard.compat.proto import config_pb2
from tensorboard.plugins.graph import graph_util

here = os.path.dirname(os.path.abspath(__file__))


def load(name):
    with gzip.open(os.path.join(here, "..", "..", "testdata", name + ".gz")) as f:
        return f.read()


texts = {}
for name in ("tf2_trace.pb", "tf1_run_metadata.pb"):
    trace = config_pb2.RunMetadata.FromString(load(name))
    texts[name] = str(graph_util.merge_graph_defs([f.pre_optimization_graph for f in trace.function_graphs]))
with open(os.path.join(here, "texts.json.gz"), "wb") as f:
    f.write(gzip.compress(json.dumps(texts, sort_keys=True).encode(), 9, mtime=0))
print({k: len(v) for k, v in texts.items()})
