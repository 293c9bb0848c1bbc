import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

import tensorbored_static
from tensorbored_static import notebook

# A program that says what it was started with, as its last words before the address, and ends as the
# real one does. "report" writes what it was given, and a page that would end a script.
PROGRAM = """#!%s
import json, os, sys
args = sys.argv[1:]
if args[0] == "report":
    if "--bad" in args:
        print("no run is called so", file=sys.stderr)
        sys.exit(1)
    with open(args[1], "w", encoding="utf-8") as f:
        f.write("<p>é</p></script><!-- " + " ".join(args[2:]))
    print(args[1] + ", 1 MB")
    sys.exit()
if "--bad" in args:
    print("unknown flag --bad", file=sys.stderr)
    sys.exit(2)
print("tensorbored-static: logs does not exist yet", file=sys.stderr, flush=True)
prefix = args[args.index("--path-prefix") + 1] if "--path-prefix" in args else ""
with open(os.environ["STARTS"], "a") as f:
    f.write(json.dumps(args) + "\\n")
print("http://127.0.0.1:%%d%%s/?a=b" %% (6006 + os.getpid() %% 1000, prefix), flush=True)
if "--access-log" in args:
    for i in range(20000):
        print("a request", i)
    print("the last one", flush=True)
    open(os.environ["STARTS"] + ".last", "w").close()
sys.stdin.read()
with open(os.environ["STARTS"] + ".ends", "a") as f:
    print(os.getpid(), file=f)
"""


class Notebook(unittest.TestCase):
    """Tests with a program in place of ours, and IPython in place of a notebook."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.dir = scratch.name
        program = os.path.join(self.dir, "program")
        with open(program, "w", encoding="utf-8") as f:
            f.write(PROGRAM % sys.executable)
        os.chmod(program, 0o755)
        self.shown = []
        ipython = types.ModuleType("IPython")
        ipython.display = types.ModuleType("IPython.display")
        ipython.display.display = lambda data, raw: self.shown.append(data)
        for patch in (
            mock.patch.dict(sys.modules, {"IPython": ipython, "IPython.display": ipython.display}),
            mock.patch.dict(os.environ, {notebook.PROGRAM: program, notebook.PROXY: "", "STARTS": os.path.join(self.dir, "starts")}),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        self.addCleanup(notebook._end)

    def starts(self):
        with open(os.path.join(self.dir, "starts")) as f:
            return [json.loads(line) for line in f]

    def call(self, f, *args, **more):
        """Returns what a call prints."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            f(*args, **more)
        return out.getvalue()

    def known(self, i=-1):
        """Returns what an output's script was called with."""
        return json.loads(re.search(r"\}\)\((\{.*\})\);</script>$", self.shown[i]["text/html"]).group(1))

    def test_start(self):
        said = self.call(notebook.start, "--logdir 'my logs' --height 300 # comment")
        self.assertIn("does not exist yet", said)
        (args,) = self.starts()
        self.assertEqual(args[:4], ["serve", "--logdir", "my logs", "--end-with-stdin"])
        prefix = args[args.index("--path-prefix") + 1]
        self.assertRegex(prefix, r"^/[0-9a-f]{32}$")
        self.assertEqual([args[i + 1] for i, a in enumerate(args) if a == "--allowed-host"], ["*"])
        self.assertEqual([args[i + 1] for i, a in enumerate(args) if a == "--allow-frame"], ["vscode-webview:", "vscode-file:", "*"])
        known = self.known()
        self.assertEqual((known["path"], known["query"], known["height"]), (prefix + "/", "?a=b", 300))
        self.assertEqual(known["instead"], "%tensorbored_report --logdir 'my logs'")
        self.assertIn(f'<div id="{known["id"]}"></div>', self.shown[0]["text/html"])
        self.assertIn(f'http://127.0.0.1:{known["port"]}{prefix}/?a=b', self.shown[0]["text/plain"])

        # Again: the same one, in an output of its own.
        said = self.call(notebook.start, "--logdir 'my logs'")
        self.assertIn(f'has been running at port {known["port"]}', said)
        self.assertEqual(len(self.starts()), 1)
        self.assertEqual((self.known()["port"], self.known()["height"]), (known["port"], notebook.HEIGHT))
        self.assertNotEqual(self.known()["id"], known["id"])

        # Others are others; the last one is that which is shown.
        self.call(notebook.start, "--logdir b --path_prefix /mine")
        args = self.starts()[1]
        self.assertEqual((args.count("--path-prefix"), args.count("--allowed-host")), (0, 0))
        self.assertEqual(
            [args[i + 1] for i, a in enumerate(args) if a == "--allow-frame"],
            ["vscode-webview:", "vscode-file:", "http://localhost:*", "http://127.0.0.1:*"],
        )
        b = self.known()["port"]
        self.call(notebook.display)
        self.assertEqual(self.known()["port"], b)
        self.call(notebook.display, port=known["port"], height=99)
        self.assertEqual((self.known()["port"], self.known()["height"]), (known["port"], 99))
        listed = self.call(notebook.list)
        self.assertIn(f'port {known["port"]}, since ', listed)
        self.assertIn("--logdir b --path_prefix /mine", listed)
        with self.assertRaisesRegex(notebook.NotebookError, f"no viewer runs at port 1; there are {known['port']}, {b}"):
            notebook.display(1)

        notebook.stop(known["port"])
        self.assertNotIn(str(known["port"]), self.call(notebook.list))
        notebook.stop()
        self.assertIn("No viewer runs here", self.call(notebook.list))
        for f in (notebook.display, notebook.stop):
            with self.assertRaisesRegex(notebook.NotebookError, "start one with"):
                f()

    def test_another_address(self):
        """What a published output tells is of no use when its kernel has ended."""
        for _ in range(2):
            self.call(notebook.start, "--logdir a")
            notebook.stop()
        one, two = (args[args.index("--path-prefix") + 1] for args in self.starts())
        self.assertNotEqual(one, two)

    def test_refused(self):
        for line, why in (
            ("--bad", "unknown flag --bad"),
            ("--logdir 'x", "No closing quotation"),
            ("--height 0", "--height 600"),
            ("--height", "--height 600"),
            ("--height=ten", "--height 600"),
        ):
            with self.subTest(line), self.assertRaisesRegex(notebook.NotebookError, why):
                notebook.start(line)
        with mock.patch.dict(os.environ, {notebook.PROGRAM: "/none"}), self.assertRaisesRegex(notebook.NotebookError, "no such file is there"):
            notebook.start("")
        with mock.patch.dict(os.environ, {notebook.PROGRAM: "", "PATH": self.dir}), mock.patch.object(sys, "executable", "/x/y"):
            with mock.patch("sysconfig.get_path", lambda *_: self.dir), self.assertRaisesRegex(notebook.NotebookError, "install the wheel"):
                notebook.start("")
        self.assertEqual(notebook._viewers, [])

    def test_chatty(self):
        """What a viewer says after its address is of no account, and is not kept."""
        said = self.call(notebook.start, "--logdir a --access-log")
        self.assertNotIn("http://", said)
        self.assertNotIn("a request", said)
        for _ in range(3000):
            if os.path.exists(os.path.join(self.dir, "starts.last")):
                return
            time.sleep(0.02)
        self.fail("the viewer waits for somebody to hear it")

    def test_ended(self):
        self.call(notebook.start, "--logdir a")
        process = notebook._viewers[0].process
        process.kill()
        process.wait()
        self.call(notebook.start, "--logdir a")
        self.assertEqual(len(self.starts()), 2)

    def test_report(self):
        said = self.call(notebook.report, "--logdir 'a b' --height=250")
        self.assertEqual(said, "report, 1 MB\n")
        shown = self.shown[0]["text/html"]
        self.assertIn('height="250"', shown)
        id = re.match(r'<iframe id="([^"]+)"', shown).group(1)
        script = re.search(r"<script>(.*)</script>$", shown).group(1)
        self.assertNotIn("<", script)
        f, page = re.search(r'getElementById\((".*?")\).*Blob\(\[(".*")\]', script).groups()
        self.assertEqual((json.loads(f), json.loads(page)), (id, "<p>é</p></script><!-- --logdir a b"))
        with self.assertRaisesRegex(notebook.NotebookError, "^no run is called so$"):
            notebook.report("--bad")

    def test_magics(self):
        class Shell:
            def __init__(self, has):
                self.magics = dict(has)

            def register_magic_function(self, f, kind, name):
                self.magics[kind, name] = f

            def find_line_magic(self, name):
                return self.magics.get(("line", name))

        shell = Shell({})
        tensorbored_static.load_ipython_extension(shell)
        self.assertEqual(sorted(name for _, name in shell.magics), ["tensorboard", "tensorbored", "tensorbored_report"])
        self.assertIn("unknown flag", self.call(shell.magics["line", "tensorboard"], "--bad"))
        self.call(shell.magics["line", "tensorbored_report"], "")
        self.assertIn("<iframe", self.shown[0]["text/html"])
        theirs = Shell({("line", "tensorboard"): print})
        tensorbored_static.load_ipython_extension(theirs)
        self.assertIs(theirs.magics["line", "tensorboard"], print)

    def test_without_notebook(self):
        with mock.patch.dict(sys.modules, {"IPython": None}):
            said = self.call(notebook.start, "--logdir a")
        self.assertIn("tensorbored-static: http://127.0.0.1:", said)

    def test_end(self):
        """With the kernel its viewers end, however that does."""
        ends = {"sys.exit()": 0, "os._exit(3)": 3, "os.kill(os.getpid(), 9)": -9}
        for end, code in ends.items():
            with self.subTest(end):
                line = f"import os, sys\nfrom tensorbored_static import notebook\nnotebook.start('--logdir a')\nprint(notebook._viewers[0].process.pid)\nsys.stdout.flush()\n{end}"
                done = subprocess.run([sys.executable, "-c", line], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
                self.assertEqual(done.returncode, code)
                pid = done.stdout.strip().split("\n")[-1]
                for _ in range(3000):
                    if os.path.exists(os.path.join(self.dir, "starts.ends")):
                        with open(os.path.join(self.dir, "starts.ends")) as f:
                            if pid in f.read().split("\n")[:-1]:
                                break
                    time.sleep(0.02)
                else:
                    self.fail("the viewer goes on")
