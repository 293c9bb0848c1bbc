"""Scalar events per second of the Python writers that can be imported.

    python speed.py EVENTS

Prints one line per writer: name, events/s, bytes/s. Time runs from the first
call to the end of close(), so that events still in a queue count.
"""
import glob, os, sys, tempfile, time


def measure(name, make, n):
    with tempfile.TemporaryDirectory() as d:
        w = make(d)
        begin = time.perf_counter()
        for step in range(n):
            w.add_scalar("loss/train", step, step)
        w.close()
        seconds = time.perf_counter() - begin
        size = sum(map(os.path.getsize, glob.glob(d + "/**/*tfevents*", recursive=True)))
    print("%-14s %10.0f events/s %8.2f MB/s" % (name, n / seconds, size / seconds / 1e6))


def main(n):
    try:
        from tensorboardX import SummaryWriter as X
        measure("tensorboardX", lambda d: X(d), n)
    except ImportError:
        print("tensorboardX   not installed")
    try:
        from torch.utils.tensorboard import SummaryWriter as T
        measure("PyTorch", lambda d: T(d), n)
    except ImportError:
        print("PyTorch        not installed")
    # The writer below PyTorch's, which does all of its work on disk.
    from tensorboard.compat.proto import event_pb2, summary_pb2
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    class TensorBoard:
        def __init__(self, d):
            self.w = EventFileWriter(d)

        def add_scalar(self, tag, value, step):
            s = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag=tag, simple_value=value)])
            self.w.add_event(event_pb2.Event(wall_time=time.time(), step=step, summary=s))

        def close(self):
            self.w.close()

    measure("tensorboard", TensorBoard, n)


main(int(sys.argv[1]))
