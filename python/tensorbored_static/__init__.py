"""Write the view that tensorbored-static shows by default, from a training script.

>>> from tensorbored_static import color_sampler, profile_writer
>>> profile_writer.set_default_profile(
...     logdir,
...     pinned_cards=[profile_writer.pin_scalar("train/loss")],
...     run_colors=color_sampler.colors_for_runs(["train", "eval"]),
...     smoothing=0.8,
... )  # doctest: +SKIP

Both modules have the names, arguments and results of those of TensorBored
(``tensorbored.plugins.core``), whose profiles they write and read. They need the
standard library only.
"""

from . import color_sampler, profile_writer

__all__ = ["color_sampler", "profile_writer"]
