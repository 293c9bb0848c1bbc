"""Makes meshes.json.gz: what a real TensorBoard answers about meshes, by logdir: of each run
and name and sample its route "meshes", and beside each part the length and SHA-256 of what its
route "data" sends. Usage: python meshes.py NAME=LOGDIR… (needs tensorboard)."""

import gzip, hashlib, json, sys
from urllib.parse import urlencode

from tensorboard import program
from werkzeug.test import Client
from tensorboard.backend import application
from tensorboard.backend.event_processing import data_ingester
from tensorboard import default

PARTS = {1: "VERTEX", 2: "FACE", 3: "COLOR"}


def answers(logdir):
    tb = program.TensorBoard(plugins=default.get_plugins())
    tb.configure(logdir=logdir, load_fast="false", samples_per_plugin={"mesh": 1000000})
    ingester = data_ingester.LocalDataIngester(tb.flags)
    ingester._reload_interval = 0
    ingester.start()
    app = application.TensorBoardWSGIApp(tb.flags, tb.plugin_loaders, ingester.data_provider, tb.assets_zip_provider, ingester.deprecated_multiplexer)
    client = Client(app)
    get = lambda route, **query: client.get("/data/plugin/mesh/" + route + "?" + urlencode(query))
    out = {}
    for run, tags in get("tags").json.items():
        for tag, said in tags.items():
            samples = []
            for sample in range(said["samples"]):
                parts = get("meshes", run=run, tag=tag, sample=sample).json
                for p in parts:
                    data = get("data", run=run, tag=tag, sample=sample, step=p["step"], content_type=PARTS[p["content_type"]]).data
                    p["data"] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
                parts.sort(key=lambda p: (p["step"], p["content_type"]))
                samples.append(parts)
            out.setdefault(run, {})[tag] = samples
    return out


if __name__ == "__main__":
    out = dict(zip((a.split("=", 1)[0] for a in sys.argv[1:]), (answers(a.split("=", 1)[1]) for a in sys.argv[1:])))
    with gzip.GzipFile("meshes.json.gz", "wb", mtime=0) as f:
        f.write(json.dumps(out, sort_keys=True).encode())
