"""Wrote tensorflow_mesh/batch: two samples a step, with and without faces and colours.
Usage: python meshes_log.py DIR (needs TensorFlow and tensorboard)."""

import sys

import numpy as np
import tensorflow as tf
from tensorboard.plugins.mesh import summary_v2 as mesh

rng = np.random.default_rng(4)
with tf.summary.create_file_writer(sys.argv[1], filename_suffix=".mesh").as_default():
    for step in range(3):
        v = rng.normal(size=(2, 5, 3)).astype(np.float32)
        mesh.mesh("two/all", v, faces=rng.integers(0, 5, (2, 4, 3)), colors=rng.integers(0, 256, (2, 5, 3)), config_dict={"material": {"cls": "PointsMaterial", "size": 0.1}}, step=step)
        mesh.mesh("two/cloud", v * 2, step=10 - step, description="a *cloud*")
