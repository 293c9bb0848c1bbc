"""Makes the files of this directory, and what the libraries that wrote them read back: values.json.

Needs tensorflow-cpu 2.16.2, numpy, safetensors. Run in this directory: python make.py
"""
import json, os, shutil
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
import ml_dtypes
from safetensors.numpy import save_file

tf1 = tf.compat.v1
values = {}


def note(path, name, array):
    a = np.asarray(array)
    values[path + "#" + name] = {"shape": list(a.shape), "dtype": str(a.dtype), "values": [float(x) for x in np.asarray(a, dtype=np.float64).ravel()]}


def fresh(d):
    shutil.rmtree(d, ignore_errors=True)
    os.makedirs(d)


rng = np.random.default_rng(1)
kinds = ["float32", "float64", "float16", "bfloat16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool"]


def array(kind, shape=(5, 3)):
    x = rng.normal(size=shape) * 20
    if kind == "bool":
        return x > 0
    if kind.startswith("u"):
        x = np.abs(x)
    return x.astype(ml_dtypes.bfloat16 if kind == "bfloat16" else kind)


# Version 2 by names, of all types; and in two shards.
fresh("v2")
for name, kw in {"types": {}, "sharded": {"sharded": True}}.items():
    with tf.Graph().as_default(), tf1.Session(config=tf1.ConfigProto(device_count={"CPU": 2})) as s:
        for i, k in enumerate(kinds):
            with tf.device("/cpu:%d" % (i % 2 if kw else 0)):
                a = array(k)
                tf1.get_variable("a/" + k, initializer=tf.constant(a), use_resource=True)
                note(f"v2/{name}-7.index", "a/" + k, a)
        tf1.get_variable("words", initializer=tf.constant(["x", "y"]), use_resource=True)
        s.run(tf1.global_variables_initializer())
        tf1.train.Saver(**kw).save(s, f"v2/{name}", global_step=7, write_meta_graph=False)

# Partitioned variables: by rows, by columns; version 2 and 1, the latter as one table with Snappy and as shards.
fresh("v1")
for version, d in ((tf1.train.SaverDef.V2, "v2"), (tf1.train.SaverDef.V1, "v1")):
    with tf.Graph().as_default(), tf1.Session() as s:
        for name, p in {"rows": [3, 1], "columns": [1, 3], "plain": None}.items():
            a = array("float32", (200, 5))
            def part(shape, dtype=None, partition_info=None, a=a):
                at = partition_info.var_offset if partition_info else (0, 0)
                return tf.constant(a[at[0]:at[0] + shape[0], at[1]:at[1] + shape[1]])
            tf1.get_variable("emb/" + name, shape=(200, 5), initializer=part,
                             partitioner=(lambda p: lambda **kw: p)(p) if p else None, use_resource=False)
            note(f"{d}/parts-3" + (".index" if d == "v2" else ""), "emb/" + name, a)
        if d == "v1":
            for k in ["float64", "int32", "uint8", "int16", "int8", "int64", "bool", "float16"]:
                a = array(k)
                tf1.get_variable("a/" + k, initializer=tf.constant(a), use_resource=False)
                note("v1/parts-3", "a/" + k, a)
            tf1.get_variable("nothing", initializer=tf.zeros((300, 7)), use_resource=False)
            note("v1/parts-3", "nothing", np.zeros((300, 7)))
        s.run(tf1.global_variables_initializer())
        tf1.train.Saver(write_version=version).save(s, f"{d}/parts", global_step=3, write_meta_graph=False)
os.rename("v1/parts-3", "v1/parts.ckpt-3")
values.update({k.replace("v1/parts-3", "v1/parts.ckpt-3"): values.pop(k) for k in list(values) if k.startswith("v1/parts-3")})

# Object-based, of a Keras model with an optimiser.
fresh("keras")
tf.random.set_seed(1)
model = tf.keras.Sequential([tf.keras.layers.Embedding(12, 4, name="words"), tf.keras.layers.GlobalAveragePooling1D(), tf.keras.layers.Dense(1, name="out")])
model.build((None, 3))
opt = tf.keras.optimizers.Adam()
opt.build(model.trainable_variables)


class Plain(tf.Module):
    def __init__(self):
        self.table = tf.Variable(array("float32", (6, 2)), name="lookup")


plain = Plain()
save = tf.train.Checkpoint(model=model, optimizer=opt, plain=plain).save("keras/ckpt")
reader = tf.train.load_checkpoint(save)
for key in reader.get_variable_to_shape_map():
    if key != "_CHECKPOINTABLE_OBJECT_GRAPH":
        t = reader.get_tensor(key)
        if t.dtype != object:
            note("keras/ckpt-1.index", key.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE"), t)

# NumPy.
fresh("numpy")
for k in [k for k in kinds if k != "bfloat16"]:
    a = array(k)
    np.save(f"numpy/{k}.npy", a)
    note(f"numpy/{k}.npy", "", a)
for name, a in {"fortran": np.asfortranarray(array("float32", (4, 3, 2))), "big": array("float64").astype(">f8"), "bigint": array("int16").astype(">i2"), "vector": array("float32", (7,)), "empty": np.zeros((0, 3))}.items():
    np.save(f"numpy/{name}.npy", a)
    note(f"numpy/{name}.npy", "", a)
np.lib.format.write_array(open("numpy/version2.npy", "wb"), array("float32"), version=(2, 0))
note("numpy/version2.npy", "", np.load("numpy/version2.npy"))
two = {"one": array("float32", (30, 4)), "two": np.asfortranarray(array("int64", (5, 6)))}
np.savez("numpy/stored.npz", **two)
np.savez_compressed("numpy/packed.npz", **two)
for f in ("stored", "packed"):
    for k, a in two.items():
        note(f"numpy/{f}.npz", k, a)

# safetensors.
fresh("safetensors")
tensors = {"t." + k: array(k) for k in kinds}
save_file(tensors, "safetensors/all.safetensors", metadata={"format": "np"})
for k, a in tensors.items():
    note("safetensors/all.safetensors", k, a)

json.dump(values, open("values.json", "w"), indent=0, sort_keys=True)
