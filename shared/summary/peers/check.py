"""Read a logdir with TensorBoard over HTTP, TensorBoard's record reader and
tbparse, and compare with what was written.

    python check.py LOGDIR EXPECTED.json

EXPECTED.json is made by peers_test.go. Prints one line per check; the exit
status is the number of checks that failed, at most 1.
"""
import hashlib, json, math, os, re, socket, struct, subprocess, sys, time, urllib.parse, urllib.request

failed = 0


def check(name, got, want):
    global failed
    ok = got == want
    failed += not ok
    print("%s %s" % ("ok  " if ok else "FAIL", name) + ("" if ok else "\n     got  %.600r\n     want %.600r" % (got, want)))


def near(a, b):
    """Equal as float32, through lists."""
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(near, a, b))
    return a == b or abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def sha(b):
    return hashlib.sha256(b).hexdigest()


class TensorBoard:
    """The Python loader without sampling, on a free port."""

    def __init__(self, logdir):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        keep = ",".join(k + "=100000" for k in ("scalars", "histograms", "images", "audio", "text", "pr_curves", "mesh"))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tensorboard.main", "--logdir", logdir, "--port", str(port), "--load_fast=false", "--reload_interval=0", "--samples_per_plugin", keep],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = "http://127.0.0.1:%d/data/" % port

    def raw(self, route, **q):
        return urllib.request.urlopen(self.base + route + ("?" + urllib.parse.urlencode(q) if q else "")).read()

    def get(self, route, **q):
        return json.loads(self.raw(route, **q))

    def post(self, route, body):
        r = urllib.request.Request(self.base + route, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(r))

    def wait(self, runs):
        for _ in range(1200):
            try:
                if len(self.get("runs")) >= runs and self.get("plugin/hparams/experiment", request='{"experimentName":""}').get("hparamInfos"):
                    time.sleep(2)  # the last file may still be in work
                    return
            except (OSError, ValueError):
                pass
            time.sleep(0.1)
        sys.exit("TensorBoard did not come up")


def over_http(tb, want):
    check("http: runs", sorted(tb.get("runs")), sorted(want["scalars"]))
    for run, tags in want["scalars"].items():
        for tag, points in tags.items():
            got = tb.get("plugin/scalars/scalars", run=run, tag=tag)
            check("http: scalars %s %s" % (run, tag), [dict(step=s, wall=w, value=v) for w, s, v in got], points)
    shown = tb.get("plugin/scalars/tags")
    for tag, tip in want["tooltips"].items():
        check("http: names of " + tag, shown["all"][tag], tip)
    for run, tags in want["histograms"].items():
        for tag, all_at in tags.items():
            got = tb.get("plugin/histograms/histograms", run=run, tag=tag)
            check("http: steps of histogram " + tag, [g[1] for g in got], [w["step"] for w in all_at])
            for g, w in zip(got, all_at):
                same = g[2] == w["buckets"] if w["exact"] else near(g[2], w["buckets"])
                check("http: histogram " + tag, g[2] if not same else True, w["buckets"] if not same else True)
    for plugin, one in (("images", "individualImage"), ("audio", "individualAudio")):
        for run, tags in want[plugin].items():
            for tag, all_at in tags.items():
                samples = tb.get("plugin/%s/tags" % plugin)[run][tag]["samples"]
                got = {}
                for i in range(samples):
                    for row in tb.get("plugin/%s/%s" % (plugin, plugin), run=run, tag=tag, sample=i):
                        blob = tb.raw("plugin/%s/%s?%s" % (plugin, one, row["query"]))
                        got.setdefault(row["step"], []).append(sha(blob))
                check("http: %s %s" % (plugin, tag), got, {w["step"]: w["sha256"] for w in all_at})
    for run, tags in want["text"].items():
        for tag, all_at in tags.items():
            got = tb.get("plugin/text/text", run=run, tag=tag)
            check("http: text " + tag, [(g["step"], bool(re.search(re.sub(r"<p>|</p>", "(<p>|</p>)?", w["holds"]), g["text"]))) for g, w in zip(got, all_at)], [(w["step"], True) for w in all_at])
    for run, tags in want["pr_curves"].items():
        for tag, all_at in tags.items():
            got = tb.get("plugin/pr_curves/pr_curves", run=run, tag=tag)[run]
            for g, w in zip(got, all_at):
                for name, row in w["rows"].items():
                    check("http: PR curve %s" % name, near(g[name], row) or g[name], True)
                check("http: step of PR curve", g["step"], w["step"])
    for run, tags in want["meshes"].items():
        for tag, all_at in tags.items():
            for w in all_at:
                got = {p: sha(tb.raw("plugin/mesh/data", run=run, tag=tag, sample=0, step=w["step"], content_type=p)) for p in w["parts"]}
                check("http: mesh " + tag, got, w["parts"])
                parts = tb.get("plugin/mesh/meshes", run=run, tag=tag, sample=0)
                check("http: parts of mesh " + tag, sorted((p["content_type"], p["components"], p["data_shape"]) for p in parts), [(1, 14, [1, 3, 3]), (2, 14, [1, 1, 3]), (3, 14, [1, 3, 3])])
    graph = tb.raw("plugin/graphs/graph", run="all").decode()
    check("http: graph", re.findall(r'^\s*name: "(.*)"$', graph, re.M), want["graph_nodes"])
    keras = tb.raw("plugin/graphs/graph", run="all", tag="keras", conceptual="true").decode()
    check("http: Keras model", want["keras"] in keras or keras, True)
    layout = tb.get("plugin/custom_scalars/layout")
    check("http: layout", {k: v for k, v in layout.items() if k == "category"}, want["layout"])
    experiment = tb.post("plugin/hparams/experiment", {"experimentName": ""})
    check("http: hparams of experiment", sorted(h["name"] for h in experiment["hparamInfos"]), sorted(want["hparams"]))
    groups = tb.post("plugin/hparams/session_groups", {
        "experimentName": "", "allowedStatuses": ["STATUS_SUCCESS"], "startIndex": 0, "sliceSize": 10,
        "colParams": [{"metric": m["name"]} for m in experiment["metricInfos"]]})["sessionGroups"]
    check("http: hparams of session", [g["hparams"] for g in groups], [want["hparams"]])
    check("http: metric of session", [(m["name"]["tag"], m["value"]) for m in groups[0]["metricValues"]], [(want["metric"], want["scalars"]["all"][want["metric"]][-1]["value"])])
    e = want["embedding"]
    check("http: embedding", [(x["tensorName"], x["tensorShape"], x["sprite"]["singleImageDim"]) for x in tb.get("plugin/projector/info", run="all")["embeddings"]], [(e["name"], [3, 2], [2, 2])])
    vectors = tb.raw("plugin/projector/tensor", run="all", name=e["name"])
    check("http: vectors", list(struct.unpack("<%df" % (len(vectors) // 4), vectors)), e["vectors"])
    check("http: metadata", tb.raw("plugin/projector/metadata", run="all", name=e["name"]).decode(), e["metadata"])
    check("http: sprite", tb.raw("plugin/projector/sprite_image", run="all", name=e["name"])[:4], b"\x89PNG")


def by_record(want):
    from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader
    for path, n in want["events"].items():
        events = list(LegacyEventFileLoader(path).Load())
        check("record reader: events", len(events), n)
        check("record reader: first event", (events[0].file_version, events[0].wall_time), ("brain.Event:2", 1.7e9))
        got = [dict(step=e.step, wall=e.wall_time, value=v.simple_value) for e in events for v in e.summary.value if v.tag == "scalar/simple" and math.isfinite(v.simple_value)]
        check("record reader: scalars", got, [p for p in want["scalars"]["all"]["scalar/simple"] if not isinstance(p["value"], str)])


def by_tbparse(logdir, want):
    from tensorboard.compat.tensorflow_stub import dtypes
    for name in ("int4", "uint4"):  # tbparse 0.0.9 asks for them at every int64; TensorBoard's stub has none
        if not hasattr(dtypes, name):
            setattr(dtypes, name, None)
    from tbparse import SummaryReader
    # The other run has a text table, at which tbparse 0.0.9 stops altogether.
    r = SummaryReader(os.path.join(logdir, "all"), extra_columns={"dir_name", "wall_time"})
    s = r.scalars
    text = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
    for run, tags in want["scalars"].items():
        if run == "table":
            continue
        run = run[len("all/"):]  # "" for the directory itself
        for tag, points in tags.items():
            rows = s[(s.dir_name == run) & (s.tag == tag)]
            if rows.empty:  # tbparse lists other than float32 among tensors
                rows = r.tensors[(r.tensors.dir_name == run) & (r.tensors.tag == tag)]
            got = [dict(step=a, wall=w, value=text.get(str(float(v)), float(v))) for a, w, v in zip(rows.step, rows.wall_time, rows.value)]
            check("tbparse: scalars %s %s" % (run, tag), got, points)
    t = r.text
    for run, tags in want["text"].items():
        for tag, all_at in tags.items():
            if all_at[0]["raw"]:
                got = t[(t.dir_name == "") & (t.tag == tag)]
                check("tbparse: text " + tag, list(zip(got.step, got.value)), [(w["step"], w["raw"]) for w in all_at])
    h = r.histograms
    for tag, all_at in want["histograms"]["all"].items():
        counts = [sum(c) for c in h[h.tag == tag].counts] or [v[:, 2].sum() for v in r.tensors[r.tensors.tag == tag].value]
        check("tbparse: count of histogram " + tag, counts, [sum(b[2] for b in w["buckets"]) for w in all_at])
    check("tbparse: hparams", {k: v for k, v in zip(r.hparams.tag, r.hparams.value)}, want["hparams"])


def main(logdir, expected):
    want = json.load(open(expected))
    tb = TensorBoard(logdir)
    try:
        tb.wait(len(want["scalars"]))
        over_http(tb, want)
    finally:
        tb.process.terminate()
        tb.process.wait()
    by_record(want)
    by_tbparse(logdir, want)
    print("%s" % ("%d checks failed" % failed if failed else "all checks passed"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
