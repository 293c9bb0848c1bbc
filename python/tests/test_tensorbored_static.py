import copy
import doctest
import json
import os
import stat
import tempfile
import unittest
import warnings

from tensorbored_static import color_sampler, profile_writer
from tests import calls


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(color_sampler))
    tests.addTests(doctest.DocTestSuite(profile_writer))
    return tests


class Logdir(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.logdir = os.path.join(self.dir.name, "logs")
        self.path = os.path.join(self.logdir, ".tensorboard", "default_profile.json")
        self.addCleanup(self.dir.cleanup)

    def stands(self):
        with open(self.path, encoding="utf-8") as f:
            return json.load(f)


class TestAsTensorBored(unittest.TestCase):
    """The answers are those of TensorBored, recorded by calls.py."""

    def setUp(self):
        with open(calls.GOLDEN) as f:
            self.golden = json.load(f)
        self.ours = calls.answers(color_sampler, profile_writer)

    def test_colors(self):
        self.assertGreater(len(self.golden["colors"]), 40)
        for theirs, ours in zip(self.golden["colors"], self.ours["colors"]):
            self.assertEqual(theirs, ours)

    def test_profiles(self):
        self.assertGreater(len(self.golden["profiles"]), 8)
        for name, theirs in self.golden["profiles"].items():
            with self.subTest(name):
                self.assertEqual("\n".join(theirs), "\n".join(self.ours["profiles"][name]))

    def test_names(self):
        """Who imports TensorBored's names finds them here."""
        for module, names in (
            (color_sampler, "ColorMap colors_for_runs darken lighten palette_categorical palette_diverging palette_sequential sample_colors sample_colors_varied"),
            (profile_writer, "AxisScale GroupByConfig GroupByKey GroupColorEntry PROFILE_VERSION PinnedCard Profile ProfileData RunColorEntry RunSelectionEntry RunSelectionType SerializedProfile SuperimposedCardEntry TagAxisScale VALID_AXIS_SCALES create_profile create_superimposed_card pin_histogram pin_image pin_scalar read_profile set_default_profile write_profile"),
        ):
            for name in names.split():
                self.assertTrue(hasattr(module, name), name)


class TestFiles(Logdir):
    def test_round_trip(self):
        for name, profile in calls.profiles(profile_writer):
            with self.subTest(name):
                self.assertEqual(profile.write(self.logdir), self.path)
                again = profile_writer.Profile.load(self.logdir)
                for attribute, _, _ in profile_writer.Profile._FIELDS:
                    self.assertEqual(getattr(again, attribute), getattr(profile, attribute), attribute)

    def test_nothing_there(self):
        self.assertIsNone(profile_writer.read_profile(self.logdir))
        self.assertIsNone(profile_writer.Profile.load(self.logdir))

    def test_broken_file(self):
        profile_writer.set_default_profile(self.logdir, "x")
        for text in ("", "{", "\x00", "[" * 100000):
            with open(self.path, "w") as f:
                f.write(text)
            with self.assertWarnsRegex(UserWarning, "default_profile.json is not used"):
                self.assertIsNone(profile_writer.read_profile(self.logdir))

    def test_unknown_fields_stay(self):
        profile_writer.set_default_profile(self.logdir, "x")
        with open(self.path) as f:
            text = f.read().replace('"name"', '"tensorboredStatic": {"xAxis": "wall"}, "name"')
        with open(self.path, "w") as f:
            f.write(text)
        p = profile_writer.Profile.load(self.logdir)
        p.smoothing = 0.5
        (p | profile_writer.create_profile("y")).write(self.logdir)
        self.assertEqual(self.stands()["data"]["tensorboredStatic"], {"xAxis": "wall"})

    def test_introductions(self):
        profile_writer.set_default_profile(self.logdir, "x", introduction="# Loss\n\nFalls.")
        self.assertEqual(self.stands()["data"]["tensorboredStatic"], {"view": {"introductions": {"timeseries": "# Loss\n\nFalls."}}})
        p = profile_writer.Profile.load(self.logdir)
        q = profile_writer.Profile("y", introduction="é" * profile_writer.MAX_INTRODUCTION)
        q.introduce("Cats.", dashboard="images")
        q._more["tensorboredStatic"]["view"]["xAxis"] = "wall"
        both = p | q
        both.introduce(" \n")
        both.write(self.logdir)
        self.assertEqual(self.stands()["data"]["tensorboredStatic"], {"view": {"introductions": {"images": "Cats."}, "xAxis": "wall"}})
        self.assertEqual(p.serialize()["data"]["tensorboredStatic"]["view"]["introductions"], {"timeseries": "# Loss\n\nFalls."})
        self.assertEqual(len((q | p)._more["tensorboredStatic"]["view"]["introductions"]), 2)
        p.introduce("")
        self.assertNotIn("tensorboredStatic", p.serialize()["data"])
        for bad in (7, None, "é" * (profile_writer.MAX_INTRODUCTION + 1)):
            with self.assertRaisesRegex(profile_writer.ProfileError, "introduction"):
                profile_writer.set_default_profile(self.logdir, introduction=bad)
        with self.assertRaisesRegex(profile_writer.ProfileError, "introduction: set these"):
            profile_writer.set_default_profile(self.logdir, p, introduction="words")
        p._more["tensorboredStatic"] = {"view": {"introductions": ["odd"], "x": 1}}
        p.introduce("words")
        self.assertEqual(p._more["tensorboredStatic"], {"view": {"introductions": {"timeseries": "words"}, "x": 1}})

    def test_colours_by_a_column(self):
        def view(p):
            return p.serialize()["data"].get("tensorboredStatic", {}).get("view")

        p = profile_writer.Profile("x", introduction="Words.")
        p.color_by("lr rate/0", scale="log")
        words = {"introductions": {"timeseries": "Words."}}
        self.assertEqual(view(p), {**words, "groupColumn": "param?name=lr+rate%2F0", "groupScale": "log"})
        p.color_by(param="opt~é")
        self.assertEqual(view(p), {**words, "groupColumn": "param?name=opt~%C3%A9"})
        p.color_by(metric="val/acc")
        self.assertEqual(view(p), {**words, "groupColumn": "last?name=val%2Facc", "groupScale": "linear"})
        for bad in ({"metric": "a", "scale": ""}, {"param": "a", "metric": "b"}, {"param": "a", "scale": "rainbow"}, {"param": "a", "scale": 3}):
            with self.assertRaises(profile_writer.ProfileError):
                p.color_by(**bad)
        self.assertEqual(view(p)["groupColumn"], "last?name=val%2Facc")
        p.color_by()
        self.assertEqual(view(p), words)
        q = profile_writer.Profile("y")
        q.color_by("lr")
        q.color_by()
        self.assertIsNone(view(q))

    def test_a_refused_write_changes_nothing(self):
        profile_writer.set_default_profile(self.logdir, "good")
        before = self.stands()
        bad = profile_writer.create_profile("bad")
        bad.smoothing = "much"
        with self.assertRaises(profile_writer.ProfileError):
            bad.write(self.logdir)
        with self.assertRaises(profile_writer.ProfileError):
            profile_writer.write_profile(self.logdir, dict(before, more=object()))
        self.assertEqual(self.stands(), before)
        self.assertEqual(os.listdir(os.path.dirname(self.path)), ["default_profile.json"])

    def test_what_killed_writers_left(self):
        profile_writer.set_default_profile(self.logdir)
        directory = os.path.dirname(self.path)
        old, young = (os.path.join(directory, profile_writer._PART + name + ".part") for name in ("old", "young"))
        for part in (old, young):
            with open(part, "w") as f:
                f.write("{")
        os.utime(old, (1e9, 1e9))
        profile_writer.set_default_profile(self.logdir)
        self.assertEqual(sorted(os.listdir(directory)), [os.path.basename(young), "default_profile.json"])

    @unittest.skipUnless(hasattr(os, "symlink"), "there are no links")
    def test_a_link_out_of_the_logdir(self):
        outside = os.path.join(self.dir.name, "secret.json")
        with open(outside, "w") as f:
            json.dump(profile_writer.create_profile("Of somebody else").serialize(), f)
        os.makedirs(os.path.dirname(self.path))
        os.symlink(outside, self.path)
        with self.assertWarnsRegex(UserWarning, "link out of the logdir"):
            self.assertIsNone(profile_writer.read_profile(self.logdir))
        os.unlink(self.path)
        os.rename(outside, os.path.join(self.logdir, "view.json"))
        os.symlink(os.path.join("..", "view.json"), self.path)
        self.assertEqual(profile_writer.Profile.load(self.logdir).name, "Of somebody else")

    def test_others_may_read_it(self):
        mask = os.umask(0o022)
        self.addCleanup(os.umask, mask)
        profile_writer.set_default_profile(self.logdir)
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o644)

    def test_finished_profile(self):
        """TensorBored writes one into the other's name."""
        p = profile_writer.create_profile("Mine", smoothing=0.3)
        for whole in (p, p.serialize()):
            profile_writer.set_default_profile(self.logdir, whole)
            self.assertEqual((self.stands()["data"]["name"], self.stands()["data"]["smoothing"]), ("Mine", 0.3))
        with self.assertRaisesRegex(profile_writer.ProfileError, "smoothing, tag_filter"):
            profile_writer.set_default_profile(self.logdir, p, smoothing=0.9, tag_filter="x")

    def test_paths(self):
        """A pathlib.Path will do, and a logdir with any characters."""
        import pathlib

        p = pathlib.Path(self.dir.name) / "a,b:c" / "ä"
        profile_writer.set_default_profile(p, "x")
        self.assertEqual(profile_writer.Profile.load(p).name, "x")


class TestAbsurdValues(Logdir):
    def test_they_give_profile_errors(self):
        loop = []
        loop.append(loop)
        deep = []
        for _ in range(100_000):
            deep = [deep]

        class Array:
            def item(self):
                raise ValueError("can only convert an array of size 1")

        for field, value in (
            ("smoothing", 10**400), ("smoothing", 10**6000), ("smoothing", float("nan")), ("smoothing", Array()),
            ("symlog_linear_threshold", 10**400), ("symlog_linear_threshold", 0), ("symlog_linear_threshold", -1.0),
            ("tag_symlog_linear_thresholds", {"loss": 0}), ("tag_symlog_linear_thresholds", {"loss": -(10**400)}),
            ("pinned_cards", loop), ("pinned_cards", deep), ("pinned_cards", [{}]), ("pinned_cards", {"a": 1}),
            ("run_colors", {(1, 2): "#000000"}), ("run_colors", [1]), ("metric_descriptions", {(1,): "x"}),
            ("group_by", {"key": loop}), ("tag_filter", b"bytes"),
            ("expanded_tag_groups", {"x": Array()}),
        ):
            with self.subTest(field=field, value=type(value)):
                p = profile_writer.create_profile("x")
                try:
                    setattr(p, field, value)
                except profile_writer.ProfileError:
                    continue
                with self.assertRaises(profile_writer.ProfileError):
                    p.serialize()
                with self.assertRaises(profile_writer.ProfileError):
                    p.write(self.logdir)
        for value in (loop, deep, {"version": 1}, {"version": 10**5000, "data": {}}, {"version": 1, "data": {"version": 1, "more": deep}}, None, 7):
            with self.subTest(value=type(value)):
                with self.assertRaises(profile_writer.ProfileError):
                    profile_writer.write_profile(self.logdir, value)
        self.assertFalse(os.path.exists(self.path))


class TestChecks(unittest.TestCase):
    def refused(self, words, **fields):
        p = profile_writer.create_profile()
        for key, value in fields.items():
            setattr(p, key, value)
        with self.assertRaisesRegex(ValueError, words):
            p.serialize()

    def test_messages_name_the_field(self):
        self.refused("smoothing is 'x': it must be a number", smoothing="x")
        self.refused("smoothing is nan", smoothing=float("nan"))
        self.refused(r"name is 3: it must be text", name=3)
        self.refused(r"pinnedCards\[1\].plugin is missing", pinned_cards=[{"plugin": "scalars", "tag": "t"}, {"tag": "t"}])
        self.refused(r"pinnedCards\[0\] is 'loss': it must be an object", pinned_cards=["loss"])
        self.refused(r"runColors\[0\].color is 7", run_colors={"r": 7})
        self.refused(r"tagAxisScales\['t'\].y is 'ln'", tag_axis_scales={"t": {"y": "ln"}})
        self.refused(r"tagAxisScales\['t'\] is .* with x or y", tag_axis_scales={"t": {"z": "linear"}})
        self.refused(r"groupBy.key is missing", group_by={"regexString": "a"})
        self.refused(r"runSelection\[0\].selected is 'yes'", run_selection=[{"type": "RUN_NAME", "value": "r", "selected": "yes"}])
        self.refused(r"runSelection\[0\].type is 'NAME'", run_selection=[{"type": "NAME", "value": "r", "selected": True}])
        self.refused(r"metricDescriptions\['t'\] is 1", metric_descriptions={"t": 1})
        with self.assertRaisesRegex(ValueError, "y_axis_scale is 'log'"):
            profile_writer.create_profile(y_axis_scale="log")

    def test_what_is_no_profile(self):
        whole = profile_writer.create_profile().serialize()
        for bad in (None, [], {}, "x", whole["data"], {"version": 1, "data": []}, {"version": 2, "data": whole["data"]}, {"version": True, "data": whole["data"]}):
            with self.assertRaises(profile_writer.ProfileError):
                profile_writer.Profile.from_serialized(bad)
        for field in whole["data"]:
            less = copy.deepcopy(whole)
            del less["data"][field]
            with self.assertRaisesRegex(profile_writer.ProfileError, field):
                profile_writer.Profile.from_serialized(less)

    def test_what_cannot_be_shown_is_said(self):
        with self.assertWarnsRegex(UserWarning, "run_colors of 'r' is 'red'"):
            profile_writer.create_profile(run_colors={"r": "red"}).serialize()
        with self.assertWarnsRegex(UserWarning, "smoothing is 1.5"):
            profile_writer.create_profile(smoothing=1.5).serialize()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            profile_writer.create_profile(run_colors={"r": "#ABCDEF"}, smoothing=0).serialize()

    def test_numbers_of_other_libraries(self):
        class Scalar:  # as NumPy's and PyTorch's
            def item(self):
                return 0.5

        self.assertEqual(profile_writer.create_profile(smoothing=Scalar()).serialize()["data"]["smoothing"], 0.5)

    def test_profiles_share_nothing(self):
        pins = [profile_writer.pin_scalar("a")]
        p, q = profile_writer.create_profile(pinned_cards=pins), profile_writer.create_profile(pinned_cards=pins)
        p.pin_scalar("b")
        self.assertEqual((len(pins), len(q.pinned_cards)), (1, 1))
        both = p | q
        both.pinned_cards.append(profile_writer.pin_scalar("c"))
        self.assertEqual((len(p.pinned_cards), len(both.pinned_cards)), (2, 4))
        s = p.serialize()
        s["data"]["pinnedCards"].clear()
        self.assertEqual(len(p.pinned_cards), 2)

    def test_ids_differ(self):
        ids = {profile_writer.create_superimposed_card("t", [])["id"] for _ in range(100)}
        self.assertEqual(len(ids), 100)


if __name__ == "__main__":
    unittest.main()
