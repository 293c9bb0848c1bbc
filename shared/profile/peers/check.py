"""Has TensorBored write a profile, and take one of ours by all that reads profiles in it.

usage: check.py OUT.json OURS.json: writes OUT.json with its module, reads OURS.json with
its module and with the check of its page, whose code is taken out of the page's script.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

import tensorbored
from tensorbored.plugins.core import profile_writer as writer

out, ours = sys.argv[1:]
with tempfile.TemporaryDirectory() as logdir:
    path = writer.set_default_profile(
        logdir,
        name="From a script",
        pinned_cards=[
            writer.pin_scalar("train/loss"),
            writer.pin_histogram("weights", "a/b"),
            writer.pin_image("digits", "a/b", 2),
        ],
        run_colors={"a/b": "#2196F3"},
        group_colors=[{"groupKey": "g", "colorId": 3}],
        superimposed_cards=[writer.create_superimposed_card("Both", ["x", "y"])],
        selected_runs=["a/b"],
        metric_descriptions={"x": "*text*"},
        tag_filter="loss",
        run_filter="a",
        smoothing=0.8,
        symlog_linear_threshold=0.5,
        group_by={"key": "REGEX", "regexString": "(a)"},
        y_axis_scale="log10",
        x_axis_scale="linear",
        tag_axis_scales={"x": {"y": "symlog10"}},
        tag_symlog_linear_thresholds={"x": 2.0},
        expanded_tag_groups={"train": True},
    )
    with open(path, "rb") as f, open(out, "wb") as g:
        g.write(f.read())

# Ours, by its module: every field that it has comes through.
with tempfile.TemporaryDirectory() as logdir:
    os.mkdir(os.path.join(logdir, ".tensorboard"))
    with open(ours, "rb") as f:
        text = f.read()
    with open(os.path.join(logdir, ".tensorboard", "default_profile.json"), "wb") as g:
        g.write(text)
    profile = writer.Profile.load(logdir)
    again = profile.serialize()["data"]
    data = json.loads(text)["data"]
    for field, value in again.items():
        if field != "lastModifiedTimestamp" and value != data[field]:
            sys.exit(f"{field}: it read {value!r}, we wrote {data[field]!r}")

# Ours, by the check in its page.
with zipfile.ZipFile(os.path.join(os.path.dirname(tensorbored.__file__), "webfiles.zip")) as z:
    script = z.read("index.js").decode()
check = re.search(r"function ([$\w]+)\(t\)\{if\(!t\|\|\"object\"!=typeof t\)return!1;let e=t;if\(\"number\"!=typeof e\.version.*?return!0\}", script)
scales = re.search(r"([$\w]+)=new Set\(\[\"linear\",\"log10\",\"symlog10\"\]\);function ([$\w]+)\(t\)\{return\"string\"==typeof t&&\1\.has\(t\)\}", script)
kinds = re.search(r"var ([$\w]+)=function\(t\)\{return t\.RUN_ID=.*?\(\1\|\|\{\}\)", script)
if not (check and scales and kinds):
    sys.exit("the page's check is not where it was")
program = "%s;var %s;%s;process.exit(%s(JSON.parse(require('fs').readFileSync(process.argv[1],'utf8')).data)?0:3)" % (
    kinds[0],
    scales[0],
    check[0],
    check[1],
)
sys.exit(subprocess.run(["node", "-e", program, ours], check=False).returncode)
