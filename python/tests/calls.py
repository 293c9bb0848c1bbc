"""What is asked of our modules and of TensorBored's, and must be answered alike.

In an environment with tensorbored, ``python -m tests.calls`` writes its answers to
golden.json, which the tests compare with ours, and ``python -m tests.calls --check``
says whether they are still these.
"""

import json
import os
import re
import sys

GOLDEN = os.path.join(os.path.dirname(__file__), "golden.json")

COLORS = (
    [("sample_colors", [n], {}) for n in (0, -1, 1, 2, 3, 5, 8, 40)]
    + [("sample_colors", [7, 0.3, 0.37, 200.5, 90], {}), ("sample_colors", [3], {"lightness": 1.4, "chroma": 0.4})]
    + [("sample_colors_varied", [n], {}) for n in (0, 1, 2, 9, 10, 33)]
    + [("sample_colors_varied", [6, (0.1, 0.9), (0.0, 0.4)], {})]
    + [("palette_categorical", [n], {}) for n in (0, 1, 8)]
    + [("palette_sequential", [n], {}) for n in (0, 1, 2, 5)]
    + [("palette_sequential", [4, 20], {})]
    + [("palette_diverging", [n], {}) for n in (0, 1, 2, 3, 4, 5, 10)]
    + [("palette_diverging", [5, 100, 300], {})]
    + [("lighten", [c], {}) for c in ("#2196F3", "#000000", "#ffffff", "#808080", "#ff0000", "2196f3")]
    + [("darken", [c], {}) for c in ("#2196F3", "#000000", "#ffffff", "#123456", "#00ff00")]
    + [("lighten", ["#2196F3", 0.9], {}), ("darken", ["#2196F3", 2], {}), ("lighten", ["#ff00ff", -0.2], {})]
    + [("colors_for_runs", [["run%d" % i for i in range(n)]], {}) for n in (0, 1, 8, 9, 30)]
    + [("colors_for_runs", [["a", "b", "a"]], {}), ("colors_for_runs", [["x", "y"], 0.5, 0.1], {"varied": True})]
)


def profiles(writer):
    """Yield name and profile, made in all the ways there are."""
    pins = [writer.pin_scalar("a/b"), writer.pin_histogram("w", "r/1"), writer.pin_image("i", "r", 2), writer.pin_image("i", "r")]
    everything = dict(
        pinned_cards=pins,
        run_colors={"r": "#2196F3", "s/t": "#000000"},
        group_colors=[{"groupKey": '["a"]', "colorId": 3}, {"groupKey": "b", "colorId": -1}],
        superimposed_cards=[writer.create_superimposed_card("both", ["x", "y"]), writer.create_superimposed_card("one", ["x"], "r")],
        run_selection=[{"type": "RUN_ID", "value": "e/r", "selected": False}],
        metric_descriptions={"a/b": "*loss*"},
        tag_filter="a|b",
        run_filter="^r",
        smoothing=0.25,
        symlog_linear_threshold=0.5,
        group_by={"key": "REGEX", "regexString": "(a|b)"},
        y_axis_scale="log10",
        x_axis_scale="symlog10",
        tag_axis_scales={"a/b": {"y": "symlog10"}, "c": {}},
        tag_symlog_linear_thresholds={"a": 2.5},
        expanded_tag_groups={"a": True, "b": False},
    )
    yield "empty", writer.create_profile()
    yield "everything", writer.create_profile("All", **everything)
    yield "selected runs", writer.create_profile(selected_runs=["x", "y/z"])
    yield "both selections", writer.create_profile(run_selection=[], selected_runs=["x"])
    yield "threshold of one", writer.create_profile(symlog_linear_threshold=1.0)
    yield "unset", writer.Profile("P", group_colors={"k": 2}, symlog_linear_threshold=1.0)
    p = writer.create_profile("by hand")
    p.pin_scalar("s")
    p.pin_histogram("h", "r")
    p.pin_image("i", "r", sample=3)
    p.add_superimposed_card("t", ["u", "v"])
    p.select_runs(["r"])
    p.run_colors["r"] = "#abcdef"
    p.y_axis_scale = "linear"
    yield "by hand", p
    other = writer.create_profile("Other", **dict(everything, tag_filter="", run_filter="z", y_axis_scale=None, group_by=None))
    yield "merged", p | other
    yield "merged the other way", other | p
    q = writer.Profile.from_serialized(other.serialize())
    q |= writer.create_profile("Third", tag_filter="t", run_filter="u", smoothing=0)
    yield "in place", q


def answers(sampler, writer):
    """Return everything as JSON values, without what depends on the time."""
    out = {"colors": [], "profiles": {}}
    for name, args, kwargs in COLORS:
        result = getattr(sampler, name)(*args, **kwargs)
        out["colors"].append([name, args, kwargs, result])
    for n, kwargs in ((0, {}), (5, {}), (12, {"varied": True}), (3, {"lightness": 0.5, "chroma": 0.1, "hue_start": 40})):
        colors = sampler.ColorMap(n, **kwargs)
        out["colors"].append(["ColorMap", [n], kwargs, [len(colors), list(colors), [colors(i) for i in range(-2, n + 3)], [colors[-1], colors[0]] if n else []]])
    for name, profile in profiles(writer):
        text = json.dumps(profile.serialize(), indent=2)
        text = re.sub(r"superimposed-\d+-\d+", "superimposed", text)
        out["profiles"][name] = re.sub(r'("lastModifiedTimestamp": )\d+', r"\g<1>0", text).split("\n")
    return json.loads(json.dumps(out))


if __name__ == "__main__":
    from tensorbored.plugins.core import color_sampler, profile_writer

    text = json.dumps(answers(color_sampler, profile_writer), indent=1) + "\n"
    if sys.argv[1:] == ["--check"]:
        with open(GOLDEN) as f:
            sys.exit(0 if f.read() == text else "tensorbored answers otherwise than golden.json says")
    with open(GOLDEN, "w") as f:
        f.write(text)
