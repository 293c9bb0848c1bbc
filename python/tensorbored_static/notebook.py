"""The viewer in a notebook: JupyterLab, Jupyter Notebook, Colab.

In a notebook::

    %load_ext tensorbored_static
    %tensorbored --logdir logs

starts a viewer with these arguments, which are those of the command, and shows it in the
cell's output. A second call with the same arguments shows the viewer that is there. It ends
with the kernel. ``%tensorboard`` is the same, unless TensorBoard's own is loaded. ::

    %tensorbored_report --logdir logs --tag "loss*"

puts the page and the chosen data into the output itself. It needs no viewer: it is still
there when the notebook is opened again, mailed, or written as HTML.

From Python: :func:`start`, :func:`display`, :func:`report`, :func:`list` and :func:`stop`. The
names and arguments of those that TensorBoard's ``tensorboard.notebook`` has are the same.
"""

import atexit
import builtins
import json
import os
import queue
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import urllib.parse

__all__ = ["NotebookError", "display", "list", "report", "start", "stop"]

#: Pixels that an output is high unless ``height`` says otherwise.
HEIGHT = 800

#: Where the program is, if it is neither beside this Python nor on the path.
PROGRAM = "TENSORBORED_STATIC_BINARY"

#: The address by which a browser comes to a port of this machine, with ``%PORT%`` for the port:
#: TensorBoard's variable, which hosts of notebooks set.
PROXY = "TENSORBOARD_PROXY_URL"

# Pages that may show the viewer in a frame besides those of a site: an editor's.
_EDITORS = ("vscode-webview:", "vscode-file:")

# Sites that may do so where the user has chosen the path: notebooks on this machine.
_NEAR = ("http://localhost:*", "http://127.0.0.1:*")

_START = 60  # seconds in which the program must say its address


class NotebookError(Exception):
    """The viewer or the report could not be made. The text says why, and what to do."""


class _Viewer:
    """A viewer that this kernel has started."""

    def __init__(self, args, process, address):
        self.args = args
        self.process = process
        self.address = address
        self.since = time.time()
        parts = urllib.parse.urlsplit(address)
        self.port = parts.port
        self.path = parts.path
        self.query = "?" + parts.query if parts.query else ""

    def runs(self):
        return self.process.poll() is None

    def end(self):
        try:
            self.process.stdin.close()  # ends it, by --end-with-stdin
        except OSError:
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


_viewers = []  # those that were started, the last one at the end
_pid = os.getpid()


def start(args_string):
    """Shows a viewer, and starts it unless one with these arguments is there.

    Args:
      args_string: flags of the command, as a shell would take them: ``"--logdir logs --port 7000"``.
        ``--height N`` is the height of the output in pixels.

    Raises:
      NotebookError: no viewer was started.
    """
    args, height = _parse(args_string)
    key = (os.getcwd(), *args)
    for v in _running():
        if v.args == key:
            print(f"This viewer has been running at port {v.port} since {_clock(v.since)}.")
            _viewers.remove(v)
            _viewers.append(v)
            return _show(v, height)
    v = _launch(key, args)
    _viewers.append(v)
    return _show(v, height)


def display(port=None, height=None):
    """Shows a viewer that was started here: that of a port, or the last one.

    Args:
      port: the port that :func:`list` names; None for the last viewer.
      height: of the output, in pixels; None for 800.

    Raises:
      NotebookError: there is none.
    """
    _show(_find(port), height)


def list():
    """Prints the viewers that were started here and still run."""
    all = _running()
    if not all:
        print("No viewer runs here. Start one with %tensorbored --logdir DIR.")
    for v in all:
        print(f"port {v.port}, since {_clock(v.since)}: {shlex.join(v.args[1:])}")


def stop(port=None):
    """Ends a viewer that was started here: that of a port, or the last one.

    Raises:
      NotebookError: there is none.
    """
    v = _find(port)
    _viewers.remove(v)
    v.end()


def report(args_string):
    """Shows a report: the page with chosen data, which stay in the notebook (3 MB and more).

    Args:
      args_string: flags of the command ``report``, such as ``"--logdir logs --run 'a*' --points
        500"``, and ``--height N``, the height of the output in pixels.

    Raises:
      NotebookError: there is no report.
    """
    args, height = _parse(args_string)
    with tempfile.TemporaryDirectory() as d:
        name = os.path.join(d, "notebook.html")
        done = subprocess.run(
            [_program(), "report", name] + args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
        )
        said = done.stdout.strip().replace(name, "report")
        if done.returncode != 0:
            raise NotebookError(said or f"the report ended with {done.returncode}")
        print(said)
        with open(name, encoding="utf-8") as f:
            page = f.read()
    id = _id()
    script = (
        "(() => { const f = document.getElementById(%s); f.src = URL.createObjectURL(new Blob([%s], { type: 'text/html' })); })()"
        % (_literal(id), _literal(page))
    )
    _output(
        f'<iframe id="{id}" width="100%" height="{height}" title="tensorbored-static" style="border: 0" '
        f'allow="clipboard-read; clipboard-write; fullscreen"></iframe><script>{script}</script>',
        "A report of tensorbored-static: it shows in a notebook.",
    )


def load_ipython_extension(ipython):
    """Defines the magics; ``%load_ext tensorbored_static`` calls it."""

    def magic(call):
        def run(line):
            try:
                call(line)
            except NotebookError as err:
                print(err, file=sys.stderr)

        run.__doc__ = call.__doc__
        return run

    ipython.register_magic_function(magic(start), "line", "tensorbored")
    ipython.register_magic_function(magic(report), "line", "tensorbored_report")
    if ipython.find_line_magic("tensorboard") is None:  # TensorBoard's own stays
        ipython.register_magic_function(magic(start), "line", "tensorboard")


def _parse(args_string):
    """Returns the words of a line without ``--height``, and the height."""
    try:
        words = shlex.split(args_string, comments=True)
    except ValueError as err:
        raise NotebookError(f"{args_string}: {err}") from None
    args, height = [], HEIGHT
    while words:
        word = words.pop(0)
        if word == "--height" or word.startswith("--height="):
            text = word[len("--height=") :] if "=" in word else words.pop(0) if words else ""
            height = int(text) if text.isdecimal() else 0
            if not 0 < height <= 100_000:
                raise NotebookError(f"--height {text}: give a number of pixels, as --height 600")
        else:
            args.append(word)
    return args, height


def _program():
    """Returns the path of the program."""
    given = os.environ.get(PROGRAM)
    if given:
        if not os.path.isfile(given):
            raise NotebookError(f"{PROGRAM} is {given}, and no such file is there")
        return given
    name = "tensorbored-static" + (".exe" if os.name == "nt" else "")
    dirs = [os.path.dirname(sys.executable), sysconfig.get_path("scripts")]
    user = "nt_user" if os.name == "nt" else "posix_user"
    if user in sysconfig.get_scheme_names():
        dirs.append(sysconfig.get_path("scripts", user))
    for d in dirs:
        if os.path.isfile(os.path.join(d, name)):
            return os.path.join(d, name)
    found = shutil.which(name)
    if found is None:
        raise NotebookError(
            "the program tensorbored-static is not installed: install the wheel of a release, which has it, "
            f"put the program on the path, or name it by {PROGRAM}"
        )
    return found


def _launch(key, args):
    """Starts a viewer."""
    given = {a.lstrip("-").split("=")[0].replace("_", "-") for a in args if a.startswith("-")}
    ours, sites = ["--end-with-stdin"], _NEAR
    if "path-prefix" not in given:
        # Notebooks stand at names that nobody knows here, and their proxies call the viewer by them,
        # so it answers to each, and shows in each. Another site, one that makes such a name its own
        # (DNS rebinding) too, and others on this machine would have to guess the path. It is another
        # one each time, since outputs of notebooks are published.
        ours += ["--path-prefix", "/" + secrets.token_hex(16), "--allowed-host", "*"]
        sites = ("*",)
    for site in _EDITORS + sites:
        ours += ["--allow-frame", site]
    process = subprocess.Popen(
        [_program(), "serve"] + args + ours,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    lines, started = queue.Queue(), threading.Event()

    def read():
        with process.stdout as out:
            for line in out:
                if not started.is_set():  # then nobody takes them
                    lines.put(line.rstrip())
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    said = []
    try:
        end = time.monotonic() + _START
        while True:
            try:
                line = lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise NotebookError(f"the viewer has not said its address within {_START} seconds: " + "\n".join(said)) from None
            if line is None:
                raise NotebookError("\n".join(said) or f"the viewer ended with {process.wait()}")
            if line.startswith("http://"):
                started.set()
                for warning in said:
                    print(warning, file=sys.stderr)
                return _Viewer(key, process, line)
            said.append(line)
    except BaseException:
        process.kill()
        process.wait()
        process.stdin.close()
        raise


def _show(v, height=None):
    id = _id()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "notebook.js"), encoding="utf-8") as f:
        script = f.read()
    known = {
        "id": id,
        "host": socket.gethostname(),
        "port": v.port,
        "path": v.path,
        "query": v.query,
        "height": HEIGHT if height is None else height,
        "proxy": os.environ.get(PROXY, ""),
        "instead": "%tensorbored_report " + shlex.join(_logdirs(v.args[1:])),
    }
    script = script.rstrip() + "(" + _literal(known) + ");"
    _output(f'<div id="{id}"></div><script>{script}</script>', "tensorbored-static: " + v.address)


def _logdirs(args):
    """Returns the flags that name logdirs."""
    out = []
    for i, a in enumerate(args):
        flag = a.replace("_", "-")
        if flag in ("--logdir", "--logdir-spec"):
            out += args[i : i + 2]
        elif flag.startswith(("--logdir=", "--logdir-spec=")):
            out.append(a)
    return out


def _output(html, text):
    """Shows HTML where there is a notebook, and text where there is none."""
    try:
        from IPython import display as shown
    except ImportError:
        print(text)
        return
    shown.display({"text/html": html, "text/plain": text}, raw=True)


def _literal(value):
    """Returns a value as an expression of a script in HTML, which cannot end the script."""
    return json.dumps(value).replace("<", "\\u003c")


def _id():
    return "tensorbored-" + secrets.token_hex(8)


def _clock(at):
    return time.strftime("%H:%M:%S", time.localtime(at))


def _running():
    for v in builtins.list(_viewers):
        if not v.runs():
            _viewers.remove(v)
            v.end()
    return builtins.list(_viewers)


def _find(port):
    all = _running()
    for v in reversed(all):
        if port is None or v.port == port:
            return v
    raise NotebookError(
        "no viewer runs here: start one with %tensorbored --logdir DIR"
        if not all
        else f"no viewer runs at port {port}; there are " + ", ".join(str(v.port) for v in all)
    )


@atexit.register
def _end():
    if os.getpid() == _pid:  # not a fork of the kernel
        for v in _running():
            v.end()
