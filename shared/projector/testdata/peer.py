"""Makes the logdir "peer", and peer.json: what TensorBoard's projector plug-in answers about it. Needs tensorboard 2.16,
tensorflow, numpy. Run in this directory, after make.py.
"""
import gzip, hashlib, json, os, shutil, time, urllib.parse, urllib.request
import numpy as np
from tensorboard import program

shutil.rmtree("peer", ignore_errors=True)
os.makedirs("peer/run")
os.makedirs("peer/ck")
rng = np.random.default_rng(2)
np.savetxt("peer/run/t.tsv", rng.normal(size=(20, 5)), delimiter="\t", fmt="%.17g")
open("peer/run/m.tsv", "w").write("word\tn\n" + "".join(f"w{i}\t{i * i}\n" for i in range(20)))
open("peer/run/b.txt", "w").write('[{"label": "State 0"}]')
open("peer/run/projector_config.pbtxt", "w").write('''embeddings {
  tensor_name: "words:00010"
  tensor_path: "t.tsv"
  metadata_path: "m.tsv"
  bookmarks_path: "b.txt"
}
''')
for f in os.listdir("v2"):
    if f.startswith("parts-3"):
        shutil.copy("v2/" + f, "peer/ck/" + f)
open("peer/ck/projector_config.pbtxt", "w").write('model_checkpoint_path: "parts-3"\nembeddings { tensor_name: "emb/rows:0" metadata_path: "m.tsv" }\n')
open("peer/ck/m.tsv", "w").write("".join(f"é{i}\n" for i in range(200)))
for d in ("run", "ck"):  # a run has an event file
    open(f"peer/{d}/events.out.tfevents.1", "wb").close()

os.chdir("peer/ck")  # where TensorBoard looks for a relative checkpoint
tb = program.TensorBoard()
tb.configure(argv=[None, "--logdir", os.path.abspath(".."), "--port", "0", "--load_fast", "false"])
url = tb.launch()
time.sleep(8)


def get(route, **q):
    b = urllib.request.urlopen(url + "data/plugin/projector/" + route + ("?" + urllib.parse.urlencode(q) if q else "")).read()
    return gzip.decompress(b) if b[:2] == b"\x1f\x8b" else b


out = {}
for run in json.loads(get("runs")):
    for e in json.loads(get("info", run=run))["embeddings"]:
        name = e["tensorName"]
        is_ = {"tensorShape": e["tensorShape"], "tensor": hashlib.sha256(get("tensor", run=run, name=name)).hexdigest()}
        if "metadataPath" in e:
            is_["metadata"] = hashlib.sha256(get("metadata", run=run, name=name)).hexdigest()
        if "bookmarksPath" in e:
            is_["bookmarks json"] = json.loads(get("bookmarks", run=run, name=name))
        out.setdefault(run, {})[name.removesuffix(":0")] = is_
json.dump(out, open("../../peer.json", "w"), indent=1, sort_keys=True)
