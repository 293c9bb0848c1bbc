"""Write the view that tensorbored-static shows by default, from a training script, and show it in a notebook.

>>> from tensorbored_static import color_sampler, profile_writer
>>> profile_writer.set_default_profile(
...     logdir,
...     pinned_cards=[profile_writer.pin_scalar("train/loss")],
...     run_colors=color_sampler.colors_for_runs(["train", "eval"]),
...     smoothing=0.8,
... )  # doctest: +SKIP

Both modules have the names, arguments and results of those of TensorBored
(``tensorbored.plugins.core``), whose profiles they write and read. They need the
standard library only. In a notebook ``%load_ext tensorbored_static`` defines ``%tensorbored``,
which shows a logdir in the cell's output: see ``tensorbored_static.notebook``.
"""

from . import color_sampler, profile_writer

__all__ = ["color_sampler", "profile_writer"]


def load_ipython_extension(ipython):
    """Defines the magics of :mod:`tensorbored_static.notebook`; ``%load_ext`` calls it."""
    from . import notebook

    notebook.load_ipython_extension(ipython)
