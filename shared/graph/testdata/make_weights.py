"""Writes keras_weights.json.gz, a model with each layer of Keras that holds numbers, and beside each layer of it and
of the other Keras fixtures that Keras 3 can read what count_params() says. Keras 3.15 with NumPy wrote them:

    KERAS_BACKEND=numpy python3 make_weights.py
"""

import gzip
import json

import keras
from keras import layers


def counts(model, scope):
    out = {}
    for layer in model.layers:
        name = scope + "/" + layer.name
        if hasattr(layer, "layers"):
            out.update(counts(layer, name))
        elif layer.count_params():
            out[name] = layer.count_params()
    return out


def zoo():
    picture = keras.Input((16, 16, 6), name="picture")
    x = layers.Conv2D(8, (3, 5), groups=2, name="grouped")(picture)
    x = layers.DepthwiseConv2D(3, depth_multiplier=2, use_bias=False, name="depthwise")(x)
    x = layers.SeparableConv2D(4, 3, depth_multiplier=2, name="separable")(x)
    x = layers.BatchNormalization(scale=False, name="norm")(x)
    x = layers.GroupNormalization(2, name="groups")(x)
    x = layers.Conv2DTranspose(5, 3, name="transpose")(x)
    flat = layers.Dense(7, use_bias=False, name="dense")(layers.Flatten(name="flat")(x))
    words = keras.Input((12,), dtype="int32", name="words")
    e = layers.Embedding(50, 6, name="embedding")(words)
    e = layers.Conv1D(9, 4, name="conv1d")(e)
    e = layers.LayerNormalization(name="layernorm")(e)
    e = layers.RMSNormalization(name="rmsnorm")(e)
    e = layers.Bidirectional(layers.LSTM(5, return_sequences=True), name="both")(e)
    e = layers.GRU(4, return_sequences=True, name="gru")(e)
    e = layers.TimeDistributed(layers.Dense(11), name="each")(e)
    e = layers.MultiHeadAttention(3, 4, value_dim=5, name="attention")(e, e)
    e = layers.SimpleRNN(6, name="rnn")(e)
    inner = keras.Sequential([keras.Input((13,)), layers.Dense(3, name="inner_dense")], name="inner")
    return keras.Model([picture, words], inner(layers.Concatenate(name="join")([flat, e])), name="zoo")


model = zoo()
known = {"keras_weights.json": counts(model, "zoo")}
with gzip.GzipFile("keras_weights.json.gz", "wb", mtime=0) as f:
    f.write(model.to_json().encode())
for name in ["keras_functional.json", "keras_nested.json", "keras_sequential.json"]:
    text = gzip.open(name + ".gz").read().decode()
    try:
        m = keras.models.model_from_json(text)
    except Exception as e:
        print(name, e)
        continue
    known[name] = counts(m, m.name)
with open("keras_weights_counts.json", "w") as f:
    json.dump(known, f, indent=1, sort_keys=True)
