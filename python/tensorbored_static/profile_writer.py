"""Write profiles: the view that tensorbored-static or TensorBored shows at first.

A profile says which cards are pinned, what colours runs have, which scales, filters and
smoothing apply. ``<logdir>/.tensorboard/default_profile.json`` is the view that everybody
gets who opens the logdir and has not arranged one.

>>> p = create_profile("Loss study", pinned_cards=[pin_scalar("train/loss")], smoothing=0.8)
>>> p.tag_filter = "loss"
>>> p.y_axis_scale = "log10"
>>> p.write(logdir)  # doctest: +SKIP
'.../.tensorboard/default_profile.json'

The format is version 1 of TensorBored's, and the names in this module are those of its
``profile_writer``. What differs: a profile is checked before it is written, since a
mistake would otherwise show only when somebody opens the page (ProfileError names the
field); a file is replaced as a whole or not at all; and ``set_default_profile`` takes a
finished profile too, where TensorBored writes one inside the other's name.
"""

from __future__ import annotations

import copy
import itertools
import json
import math
import os
import re
import tempfile
import time
import urllib.parse
import warnings
from typing import Any, Dict, Iterable, List, Literal, Optional, Tuple, TypedDict, Union

__all__ = [
    "MAX_INTRODUCTION",
    "PROFILE_VERSION",
    "VALID_AXIS_SCALES",
    "AxisScale",
    "GroupByConfig",
    "GroupByKey",
    "GroupColorEntry",
    "PinnedCard",
    "Profile",
    "ProfileData",
    "ProfileError",
    "RunColorEntry",
    "RunSelectionEntry",
    "RunSelectionType",
    "SerializedProfile",
    "SuperimposedCardEntry",
    "TagAxisScale",
    "create_profile",
    "create_superimposed_card",
    "pin_histogram",
    "pin_image",
    "pin_scalar",
    "read_profile",
    "set_default_profile",
    "write_profile",
]

PROFILE_VERSION = 1

# How many characters an introduction may have.
MAX_INTRODUCTION = 20000

# The field for what TensorBored has none.
_OWN = "tensorboredStatic"

# Where a default profile stands below a logdir.
_DIRECTORY, _FILE = ".tensorboard", "default_profile.json"

AxisScale = Literal["linear", "log10", "symlog10"]
VALID_AXIS_SCALES: Tuple[str, ...] = ("linear", "log10", "symlog10")

RunSelectionType = Literal["RUN_ID", "RUN_NAME"]
GroupByKey = Literal["RUN", "EXPERIMENT", "REGEX", "REGEX_BY_EXP"]


class TagAxisScale(TypedDict, total=False):
    """The scales of one tag's cards; an axis that is left out has the page's."""

    y: AxisScale
    x: AxisScale


class _Card(TypedDict):
    plugin: str
    tag: str


class PinnedCard(_Card, total=False):
    """A card that stands on top of the page."""

    runId: str  # the run's name; kinds with a card for each run need it
    sample: int  # of images: which one of a step's


class RunColorEntry(TypedDict):
    """A run's colour, #rrggbb."""

    runId: str
    color: str


class GroupColorEntry(TypedDict):
    """A colour of TensorBored's palette for a group of runs; -1 is grey."""

    groupKey: str
    colorId: int


class SuperimposedCardEntry(TypedDict):
    """A card with the curves of several tags."""

    id: str
    title: str
    tags: List[str]
    runId: Optional[str]  # of this run only; None: of all runs that are shown


class RunSelectionEntry(TypedDict):
    """Whether a run is shown. Runs that no entry names are not."""

    type: RunSelectionType
    value: str
    selected: bool


class _GroupBy(TypedDict):
    key: GroupByKey


class GroupByConfig(_GroupBy, total=False):
    """Which runs share a colour."""

    regexString: str


class _Data(TypedDict):
    version: int
    name: str
    lastModifiedTimestamp: int  # milliseconds since 1970
    pinnedCards: List[PinnedCard]
    runColors: List[RunColorEntry]
    groupColors: List[GroupColorEntry]
    superimposedCards: List[SuperimposedCardEntry]
    tagFilter: str
    runFilter: str
    smoothing: float


class ProfileData(_Data, total=False):
    """The profile itself."""

    runSelection: List[RunSelectionEntry]
    metricDescriptions: Dict[str, str]
    groupBy: Optional[GroupByConfig]
    yAxisScale: AxisScale
    xAxisScale: AxisScale
    tagAxisScales: Dict[str, TagAxisScale]
    symlogLinearThreshold: float
    tagSymlogLinearThresholds: Dict[str, float]
    expandedTagGroups: Dict[str, bool]


class SerializedProfile(TypedDict):
    """What stands in a file: the profile, and the version of its format."""

    version: int
    data: ProfileData


class ProfileError(ValueError):
    """Something is not a profile. The message names the field and what belongs there."""


class Profile:
    """A profile whose fields are attributes.

    ``a | b`` is a new profile, ``a |= b`` and ``a.update(b)`` change a: b's name,
    smoothing and whatever it sets win, lists are joined, mappings united, filters joined
    by "or".
    """

    # Attribute, field of the file, what it is when it is not set. The order is the
    # file's.
    _FIELDS: Tuple[Tuple[str, str, Any], ...] = (
        ("name", "name", "Default Profile"),
        ("pinned_cards", "pinnedCards", list),
        ("run_colors", "runColors", dict),
        ("group_colors", "groupColors", dict),
        ("superimposed_cards", "superimposedCards", list),
        ("tag_filter", "tagFilter", ""),
        ("run_filter", "runFilter", ""),
        ("smoothing", "smoothing", 0.6),
        # What is left out of a file when it is empty or not set.
        ("run_selection", "runSelection", list),
        ("metric_descriptions", "metricDescriptions", dict),
        ("group_by", "groupBy", None),
        ("y_axis_scale", "yAxisScale", None),
        ("x_axis_scale", "xAxisScale", None),
        ("tag_axis_scales", "tagAxisScales", dict),
        ("symlog_linear_threshold", "symlogLinearThreshold", None),
        ("tag_symlog_linear_thresholds", "tagSymlogLinearThresholds", dict),
        ("expanded_tag_groups", "expandedTagGroups", dict),
    )
    _OPTIONAL = frozenset(name for _, name, _ in _FIELDS[8:])

    name: str
    pinned_cards: List[PinnedCard]
    run_colors: Dict[str, str]
    group_colors: Dict[str, int]
    superimposed_cards: List[SuperimposedCardEntry]
    tag_filter: str
    run_filter: str
    smoothing: float
    run_selection: List[RunSelectionEntry]
    metric_descriptions: Dict[str, str]
    group_by: Optional[GroupByConfig]
    y_axis_scale: Optional[AxisScale]
    x_axis_scale: Optional[AxisScale]
    tag_axis_scales: Dict[str, TagAxisScale]
    symlog_linear_threshold: Optional[float]
    tag_symlog_linear_thresholds: Dict[str, float]
    expanded_tag_groups: Dict[str, bool]

    # _more is what a file said that this module has no name for; it is kept.
    __slots__ = tuple(attribute for attribute, _, _ in _FIELDS) + ("_more",)

    def __init__(
        self,
        name: str = "Default Profile",
        *,
        pinned_cards: Optional[List[PinnedCard]] = None,
        run_colors: Optional[Dict[str, str]] = None,
        group_colors: Optional[Dict[str, int]] = None,
        superimposed_cards: Optional[List[SuperimposedCardEntry]] = None,
        run_selection: Optional[List[RunSelectionEntry]] = None,
        selected_runs: Optional[List[str]] = None,
        metric_descriptions: Optional[Dict[str, str]] = None,
        tag_filter: str = "",
        run_filter: str = "",
        smoothing: float = 0.6,
        symlog_linear_threshold: Optional[float] = None,
        group_by: Optional[GroupByConfig] = None,
        y_axis_scale: Optional[AxisScale] = None,
        x_axis_scale: Optional[AxisScale] = None,
        tag_axis_scales: Optional[Dict[str, TagAxisScale]] = None,
        tag_symlog_linear_thresholds: Optional[Dict[str, float]] = None,
        expanded_tag_groups: Optional[Dict[str, bool]] = None,
        introduction: str = "",
    ) -> None:
        self._more: Dict[str, Any] = {}
        self.name = name
        self.pinned_cards = pinned_cards or []
        self.run_colors = run_colors or {}
        self.group_colors = group_colors or {}
        self.superimposed_cards = superimposed_cards or []
        if run_selection is None and selected_runs is not None:
            self.select_runs(selected_runs)
        else:
            self.run_selection = run_selection or []
        self.metric_descriptions = metric_descriptions or {}
        self.tag_filter = tag_filter
        self.run_filter = run_filter
        self.smoothing = smoothing
        self.symlog_linear_threshold = symlog_linear_threshold
        self.group_by = group_by
        self.y_axis_scale = y_axis_scale
        self.x_axis_scale = x_axis_scale
        self.tag_axis_scales = tag_axis_scales or {}
        self.tag_symlog_linear_thresholds = tag_symlog_linear_thresholds or {}
        self.expanded_tag_groups = expanded_tag_groups or {}
        self.introduce(introduction)

    def __setattr__(self, attribute: str, value: Any) -> None:
        """Set a field; lists and mappings are copied, so that profiles share none."""
        if attribute in ("y_axis_scale", "x_axis_scale") and value is not None and value not in VALID_AXIS_SCALES:
            raise ValueError("%s is %r: it must be one of %s" % (attribute, value, ", ".join(VALID_AXIS_SCALES)))
        if attribute != "_more":
            empty = next((e for a, _, e in self._FIELDS if a == attribute), None)
            if isinstance(empty, type):
                try:
                    value = empty(value)
                except (TypeError, ValueError, RecursionError):
                    raise ProfileError("%s is %s: it must be a %s" % (attribute, _shown(value), empty.__name__)) from None
        object.__setattr__(self, attribute, value)

    def __repr__(self) -> str:
        return "Profile(%r)" % self.name

    def pin_scalar(self, tag: str) -> None:
        """Pin a tag's curves."""
        self.pinned_cards.append(pin_scalar(tag))

    def pin_histogram(self, tag: str, run_id: str) -> None:
        """Pin a tag's histograms of one run."""
        self.pinned_cards.append(pin_histogram(tag, run_id))

    def pin_image(self, tag: str, run_id: str, sample: int = 0) -> None:
        """Pin a tag's images of one run."""
        self.pinned_cards.append(pin_image(tag, run_id, sample))

    def add_superimposed_card(self, title: str, tags: List[str], run_id: Optional[str] = None) -> None:
        """Add a card with the curves of several tags."""
        self.superimposed_cards.append(create_superimposed_card(title, tags, run_id))

    def introduce(self, markdown: str, dashboard: str = "timeseries") -> None:
        """Put words in Markdown above the cards of a dashboard, named as in links.

        No words take them away. TensorBored does not show them. Raises ProfileError.
        """
        if not isinstance(markdown, str):
            raise ProfileError("an introduction is text, and this is %s" % _shown(markdown))
        if len(markdown) > MAX_INTRODUCTION:
            raise ProfileError("an introduction has %d characters at most, and this one has %d" % (MAX_INTRODUCTION, len(markdown)))
        own = _own(self._more)
        words = own["view"].setdefault("introductions", {})
        if markdown.strip():
            words[dashboard] = markdown
        else:
            words.pop(dashboard, None)
        self._more = _with(self._more, own)

    def color_by(self, param: Optional[str] = None, metric: Optional[str] = None, scale: Optional[str] = None) -> None:
        """Colour runs by a hyperparameter, or by the last value of a tag of scalars.

        The scale is "linear" or "log", from low to high; "" gives each value of a hyperparameter
        a colour of its own. It is "" for a hyperparameter and "linear" for a metric if you name
        none. Without both, each run has its own colour. TensorBored does not know it. Raises
        ProfileError.
        """
        if scale is None:
            scale = "linear" if metric else ""
        if param and metric:
            raise ProfileError("colours go by a hyperparameter or by a metric: name one of them")
        if scale not in ("", "linear", "log") or metric and not scale:
            raise ProfileError("scale is %s: it must be linear or log%s" % (_shown(scale), "" if metric else ", or empty"))
        own = _own(self._more)
        view = own["view"]
        view.pop("groupColumn", None)
        view.pop("groupScale", None)
        if param or metric:
            name = urllib.parse.quote_plus(str(param or metric), safe="")
            view["groupColumn"] = ("param?name=" if param else "last?name=") + name
        if scale and (param or metric):
            view["groupScale"] = scale
        self._more = _with(self._more, own)

    def select_runs(self, run_names: Iterable[str]) -> None:
        """Show these runs and no others."""
        self.run_selection = [RunSelectionEntry(type="RUN_NAME", value=run, selected=True) for run in run_names]

    def serialize(self) -> SerializedProfile:
        """Return what stands in a file. Raises ProfileError."""
        data: Dict[str, Any] = {"version": PROFILE_VERSION}
        for attribute, field, _ in self._FIELDS:
            value = getattr(self, attribute)
            if field in ("runColors", "groupColors") and not isinstance(value, dict):
                raise ProfileError("%s is %s: it must be a dict" % (attribute, _shown(value)))
            if field == "runColors":
                value = [RunColorEntry(runId=run, color=color) for run, color in value.items()]
            elif field == "groupColors":
                value = [GroupColorEntry(groupKey=key, colorId=color) for key, color in value.items()]
            elif field in self._OPTIONAL and (value is None or value == [] or value == {}):
                continue
            data[field] = value
            if field == "name":
                data["lastModifiedTimestamp"] = int(time.time() * 1000)
        data.update((key, value) for key, value in self._more.items() if key not in data)
        # A copy: what is done to it later does not change the profile.
        serialized = json.loads(_text({"version": PROFILE_VERSION, "data": data}))
        _check(serialized)
        return serialized

    def write(self, logdir: Union[str, "os.PathLike[str]"]) -> str:
        """Write the logdir's default profile; see write_profile."""
        return write_profile(logdir, self)

    @classmethod
    def from_serialized(cls, serialized: SerializedProfile) -> "Profile":
        """Make a profile of what stands in a file. Raises ProfileError."""
        _check(serialized)
        data = serialized["data"]
        profile = cls(data["name"])
        named = {"version", "lastModifiedTimestamp"}
        for attribute, field, _ in cls._FIELDS:
            named.add(field)
            value: Any = data.get(field)
            if value is None:
                continue
            if field == "runColors":
                value = {entry["runId"]: entry["color"] for entry in value}
            elif field == "groupColors":
                value = {entry["groupKey"]: entry["colorId"] for entry in value}
            setattr(profile, attribute, value)
        profile._more = {key: value for key, value in data.items() if key not in named}
        return profile

    @classmethod
    def load(cls, logdir: Union[str, "os.PathLike[str]"]) -> Optional["Profile"]:
        """Read the logdir's default profile; None if there is none that can be read."""
        serialized = read_profile(logdir)
        return None if serialized is None else cls.from_serialized(serialized)

    def update(self, other: "Profile") -> None:
        """Take over what another profile says; see the class."""
        for attribute, field, empty in self._FIELDS:
            mine, others = getattr(self, attribute), getattr(other, attribute)
            if field in ("tagFilter", "runFilter"):
                others = "(%s)|(%s)" % (mine, others) if mine and others else mine or others
            elif empty is list:
                others = mine + others
            elif empty is dict:
                others = {**mine, **others}
            elif others is None:
                continue
            setattr(self, attribute, others)
        mine_own, others_own = _own(self._more), _own(other._more)
        for setting, value in others_own["view"].items():
            before = mine_own["view"].get(setting)
            both = isinstance(before, dict) and isinstance(value, dict)
            mine_own["view"][setting] = {**before, **value} if both else value
        view = mine_own["view"]
        mine_own.update(others_own)
        mine_own["view"] = view
        self._more = _with({**self._more, **other._more}, mine_own)

    def __or__(self, other: "Profile") -> "Profile":
        if not isinstance(other, Profile):
            return NotImplemented
        both = Profile()
        for attribute, _, _ in self._FIELDS:
            setattr(both, attribute, getattr(self, attribute))
        both._more = dict(self._more)
        both.update(other)
        return both

    def __ior__(self, other: "Profile") -> "Profile":
        if not isinstance(other, Profile):
            return NotImplemented
        self.update(other)
        return self


def _own(more: Dict[str, Any]) -> Dict[str, Any]:
    """Return a copy of what stands in the field for what TensorBored has none."""
    own = more.get(_OWN)
    own = copy.deepcopy(own) if isinstance(own, dict) else {}
    if not isinstance(own.get("view"), dict):
        own["view"] = {}
    if not isinstance(own["view"].get("introductions", {}), dict):
        del own["view"]["introductions"]
    return own


def _with(more: Dict[str, Any], own: Dict[str, Any]) -> Dict[str, Any]:
    """Return fields with that one, if there is anything in it."""
    if not own["view"].get("introductions", True):
        del own["view"]["introductions"]
    if not own["view"]:
        del own["view"]
    more = {key: value for key, value in more.items() if key != _OWN}
    return {**more, _OWN: own} if own else more


def create_profile(
    name: str = "Default Profile",
    pinned_cards: Optional[List[PinnedCard]] = None,
    run_colors: Optional[Dict[str, str]] = None,
    group_colors: Optional[List[GroupColorEntry]] = None,
    superimposed_cards: Optional[List[SuperimposedCardEntry]] = None,
    run_selection: Optional[List[RunSelectionEntry]] = None,
    selected_runs: Optional[List[str]] = None,
    metric_descriptions: Optional[Dict[str, str]] = None,
    tag_filter: str = "",
    run_filter: str = "",
    smoothing: float = 0.6,
    symlog_linear_threshold: float = 1.0,
    group_by: Optional[GroupByConfig] = None,
    y_axis_scale: Optional[AxisScale] = None,
    x_axis_scale: Optional[AxisScale] = None,
    tag_axis_scales: Optional[Dict[str, TagAxisScale]] = None,
    tag_symlog_linear_thresholds: Optional[Dict[str, float]] = None,
    expanded_tag_groups: Optional[Dict[str, bool]] = None,
    introduction: str = "",
) -> Profile:
    """Return a profile.

    Args:
        name: What the menu shows.
        pinned_cards: Cards on top of the page, in order: pin_scalar and the like.
        run_colors: Run name to #rrggbb.
        group_colors: Colours of groups of runs.
        superimposed_cards: Cards with several tags: create_superimposed_card.
        run_selection: Which runs are shown.
        selected_runs: The same as names of runs: these are shown, and no others.
        metric_descriptions: Tag to Markdown.
        tag_filter, run_filter: Regular expressions.
        smoothing: 0 to 0.999.
        symlog_linear_threshold: Up to which value a symlog axis is linear.
        group_by: Which runs share a colour.
        y_axis_scale, x_axis_scale: One of VALID_AXIS_SCALES, for all cards.
        tag_axis_scales: The same for single tags.
        tag_symlog_linear_thresholds: Tag to symlog_linear_threshold.
        expanded_tag_groups: Group of tags to whether it is open.
        introduction: Words in Markdown above the cards: what is to be seen there.

    Raises:
        ValueError: An axis has a scale that does not exist.
        ProfileError: The introduction is no text, or too long.
    """
    return Profile(
        name,
        pinned_cards=pinned_cards,
        run_colors=run_colors,
        group_colors={entry["groupKey"]: entry["colorId"] for entry in group_colors or []},
        superimposed_cards=superimposed_cards,
        run_selection=run_selection,
        selected_runs=selected_runs,
        metric_descriptions=metric_descriptions,
        tag_filter=tag_filter,
        run_filter=run_filter,
        smoothing=smoothing,
        symlog_linear_threshold=None if symlog_linear_threshold == 1.0 else symlog_linear_threshold,
        group_by=group_by,
        y_axis_scale=y_axis_scale,
        x_axis_scale=x_axis_scale,
        tag_axis_scales=tag_axis_scales,
        tag_symlog_linear_thresholds=tag_symlog_linear_thresholds,
        expanded_tag_groups=expanded_tag_groups,
        introduction=introduction,
    )


def write_profile(logdir: Union[str, "os.PathLike[str]"], profile: Union[Profile, SerializedProfile]) -> str:
    """Write a logdir's default profile and return the file's path.

    Who reads it at the same time sees the old file or the new one, never a part.

    Raises:
        ProfileError: It is not a profile; nothing was written.
        OSError: It cannot be written; what stood there still does.
    """
    serialized = profile.serialize() if isinstance(profile, Profile) else profile
    _check(serialized)
    text = _text(serialized, indent=2)
    directory = os.path.join(os.fspath(logdir), _DIRECTORY)
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, _FILE)
    _clear(directory)
    handle, temporary = tempfile.mkstemp(prefix=_PART, suffix=".part", dir=directory)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as f:
            f.write(text)
            f.flush()
            os.fsync(f.fileno())
        # mkstemp makes files that nobody else may read.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return path


# A file that is not whole yet begins so. One that a killed program has left is removed by
# the next write when it is an hour old: to write one takes less than a second.
_PART = ".tensorbored-static-py."
_PART_SECONDS = 3600


def _clear(directory: str) -> None:
    """Remove what killed programs have left."""
    for name in os.listdir(directory):
        left = name.startswith(_PART) and name.endswith(".part")
        path = os.path.join(directory, name)
        try:
            if left and not os.path.islink(path) and time.time() - os.stat(path).st_mtime > _PART_SECONDS:
                os.unlink(path)
        except OSError:
            pass  # another program was faster, or it is somebody else's


def read_profile(logdir: Union[str, "os.PathLike[str]"]) -> Optional[SerializedProfile]:
    """Return a logdir's default profile; None if there is none.

    A file that is there and cannot be read, or is no JSON, is None too, with a warning. So is
    a link that leads out of the logdir, as the server has it.
    """
    path = os.path.join(os.fspath(logdir), _DIRECTORY, _FILE)
    top, real = os.path.realpath(os.fspath(logdir)), os.path.realpath(path)
    if os.path.lexists(path) and os.path.dirname(os.path.dirname(real)) != top and not real.startswith(os.path.join(top, "")):
        warnings.warn("%s is not used: it is a link out of the logdir" % path, stacklevel=2)
        return None
    try:
        with open(path, encoding="utf-8") as f:
            return json.load(f)
    except FileNotFoundError:
        return None
    except (ValueError, OSError, RecursionError) as err:
        warnings.warn("%s is not used: %s" % (path, err), stacklevel=2)
        return None


def set_default_profile(
    logdir: Union[str, "os.PathLike[str]"],
    name: Union[str, Profile, SerializedProfile] = "Default Profile",
    pinned_cards: Optional[List[PinnedCard]] = None,
    run_colors: Optional[Dict[str, str]] = None,
    group_colors: Optional[List[GroupColorEntry]] = None,
    superimposed_cards: Optional[List[SuperimposedCardEntry]] = None,
    run_selection: Optional[List[RunSelectionEntry]] = None,
    selected_runs: Optional[List[str]] = None,
    metric_descriptions: Optional[Dict[str, str]] = None,
    tag_filter: str = "",
    run_filter: str = "",
    smoothing: float = 0.6,
    symlog_linear_threshold: float = 1.0,
    group_by: Optional[GroupByConfig] = None,
    y_axis_scale: Optional[AxisScale] = None,
    x_axis_scale: Optional[AxisScale] = None,
    tag_axis_scales: Optional[Dict[str, TagAxisScale]] = None,
    tag_symlog_linear_thresholds: Optional[Dict[str, float]] = None,
    expanded_tag_groups: Optional[Dict[str, bool]] = None,
    introduction: str = "",
) -> str:
    """Make a profile, write it as the logdir's default, and return the file's path.

    The arguments are those of create_profile, or a finished profile alone.
    """
    made = dict(locals())
    logdir = made.pop("logdir")
    if isinstance(name, str):
        return write_profile(logdir, create_profile(**made))
    del made["name"]
    given = sorted(k for k, v in made.items() if v != _DEFAULTS[k])
    if given:
        raise ProfileError("a finished profile and %s: set these on the profile instead" % ", ".join(given))
    return write_profile(logdir, name)


_DEFAULTS: Dict[str, Any] = dict(
    zip(set_default_profile.__code__.co_varnames[2:], (set_default_profile.__defaults__ or ())[1:])
)


def pin_scalar(tag: str) -> PinnedCard:
    """Return a pin of a tag's curves."""
    return PinnedCard(plugin="scalars", tag=tag)


def pin_histogram(tag: str, run_id: str) -> PinnedCard:
    """Return a pin of a tag's histograms of one run, named as in the page."""
    return PinnedCard(plugin="histograms", tag=tag, runId=run_id)


def pin_image(tag: str, run_id: str, sample: int = 0) -> PinnedCard:
    """Return a pin of a tag's images of one run; sample says which of a step's images."""
    return PinnedCard(plugin="images", tag=tag, runId=run_id, sample=sample)


_cards = itertools.count(1)


def create_superimposed_card(title: str, tags: List[str], run_id: Optional[str] = None) -> SuperimposedCardEntry:
    """Return a card with the curves of several tags, of one run or of all."""
    return SuperimposedCardEntry(
        id="superimposed-%d-%d" % (time.time() * 1000, next(_cards)), title=title, tags=list(tags), runId=run_id
    )


def _text(value: Any, indent: Optional[int] = None) -> str:
    """Return the JSON of a value. Raises ProfileError."""
    try:
        text = json.dumps(value, indent=indent, default=_plain)
        text.encode("utf-8")
        return text
    except RecursionError:
        raise ProfileError("the profile holds itself, or is nested too deeply") from None
    except (ValueError, TypeError, OverflowError, KeyError, AttributeError) as err:
        # A list that holds itself, keys that are no text, integers of thousands of digits.
        if isinstance(err, ProfileError):
            raise
        raise ProfileError("the profile cannot be written: %s" % err) from None


def _plain(value: Any) -> Any:
    """Turn numbers of NumPy, PyTorch and the like into Python's."""
    if hasattr(value, "item"):
        try:
            return value.item()
        except (ValueError, TypeError, RuntimeError, OverflowError) as err:  # of many elements, for example
            raise ProfileError("%.60r (%s) cannot stand in a profile: %s" % (value, type(value).__name__, err)) from None
    raise ProfileError("%r (%s) cannot stand in a profile" % (value, type(value).__name__))


# What belongs into each field: a type, [of the elements], {of the values}, or the
# members of an object, of which those named with "?" may be missing.
_SCALE = VALID_AXIS_SCALES
_SHAPE: Dict[str, Any] = {
    "version": int,
    "name": str,
    "lastModifiedTimestamp": float,
    "pinnedCards": [{"plugin": str, "tag": str, "runId?": str, "sample?": int, "tags?": [str], "title?": str}],
    "runColors": [{"runId": str, "color": str}],
    "groupColors": [{"groupKey": str, "colorId": int}],
    "superimposedCards": [{"id": str, "title": str, "tags": [str], "runId?": (str, None)}],
    "tagFilter": str,
    "runFilter": str,
    "smoothing": float,
    "runSelection?": [{"type": ("RUN_ID", "RUN_NAME"), "value": str, "selected": bool}],
    "metricDescriptions?": {"*": str},
    "groupBy?": (None, {"key": (str, int), "regexString?": str}),
    "yAxisScale?": _SCALE,
    "xAxisScale?": _SCALE,
    "tagAxisScales?": {"*": {"y?": _SCALE, "x?": _SCALE}},
    "symlogLinearThreshold?": float,
    "tagSymlogLinearThresholds?": {"*": float},
    "expandedTagGroups?": {"*": bool},
}

_COLOR = re.compile("#[0-9a-fA-F]{6}")


def _check(serialized: Any) -> None:
    """Raise ProfileError if this does not stand for a profile, and warn of what no page
    can do anything with."""
    if isinstance(serialized, Profile) or not isinstance(serialized, dict) or not isinstance(serialized.get("data"), dict):
        raise ProfileError('a serialized profile is {"version": 1, "data": {...}}; make one by create_profile')
    for where, version in (("version", serialized.get("version")), ("data.version", serialized["data"].get("version"))):
        if version != PROFILE_VERSION or isinstance(version, bool):
            raise ProfileError("%s is %s: only version %d is known" % (where, _shown(version), PROFILE_VERSION))
    data = serialized["data"]
    _fits(data, _SHAPE, "")
    # As profile validate refuses them.
    for where, threshold in [("symlogLinearThreshold", data.get("symlogLinearThreshold", 1))] + [
        ("tagSymlogLinearThresholds[%r]" % tag, value) for tag, value in data.get("tagSymlogLinearThresholds", {}).items()
    ]:
        if not threshold > 0:
            raise ProfileError("%s is %s: it must be above 0" % (where, _shown(threshold)))
    for entry in data["runColors"]:
        if not _COLOR.fullmatch(entry["color"]):
            warnings.warn("run_colors of %r is %r: only colours such as '#2196f3' are shown" % (entry["runId"], entry["color"]), stacklevel=4)
    if not 0 <= data["smoothing"] < 1:
        warnings.warn("smoothing is %r: it goes from 0 to 0.999" % data["smoothing"], stacklevel=4)


def _is_number(value: Any) -> bool:
    """Report whether this is a number that a float has room for."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _shown(value: Any) -> str:
    """Return a value for a message."""
    try:
        return "%.60r" % (value,)
    except (ValueError, RecursionError, OverflowError):  # an integer of thousands of digits, for example
        return "a value (%s) that cannot be shown" % type(value).__name__


def _fits(value: Any, shape: Any, where: str) -> None:
    def no(what: str) -> None:
        raise ProfileError("%s is %s: it must be %s" % (where or "the profile", _shown(value), what))

    if shape is str:
        isinstance(value, str) or no("text")
    elif shape is bool:
        isinstance(value, bool) or no("true or false")
    elif shape is int:
        isinstance(value, int) and _is_number(value) or no("a whole number")
    elif shape is float:
        _is_number(value) or no("a number")
    elif isinstance(shape, tuple):
        if not any(_is(value, one, where) for one in shape):
            no("one of " + ", ".join(_words(one) for one in shape))
    elif isinstance(shape, list):
        isinstance(value, list) or no("a list")
        for i, element in enumerate(value):
            _fits(element, shape[0], "%s[%d]" % (where, i))
    else:
        isinstance(value, dict) or no("an object")
        if "*" in shape:
            for key, element in value.items():
                isinstance(key, str) or no("an object whose keys are text")
                _fits(element, shape["*"], "%s[%r]" % (where, key))
            return
        for key, inner in shape.items():
            name = key.rstrip("?")
            path = where + "." + name if where else name
            if name in value:
                _fits(value[name], inner, path)
            elif name == key:
                raise ProfileError("%s is missing" % path)
        if set(shape) == {"y?", "x?"} and set(value) - {"x", "y"}:
            no("an object with x or y")


def _is(value: Any, shape: Any, where: str) -> bool:
    if shape is None or isinstance(shape, str):
        return value == shape and isinstance(value, (str, type(None)))
    if isinstance(shape, dict) and isinstance(value, dict):
        _fits(value, shape, where)  # its message says more
        return True
    try:
        _fits(value, shape, where)
    except ProfileError:
        return False
    return True


def _words(shape: Any) -> str:
    return {str: "text", int: "a whole number", None: "nothing"}.get(shape, repr(shape)) if not isinstance(shape, dict) else "an object"
