"""Makes the graphs of this folder with the libraries themselves.

    python make_graphs.py FOLDER tensorflow
    python make_graphs.py FOLDER torch     # another process: the two cannot be loaded together

Needs tensorflow (with keras), torch, torchvision, tensorboard, onnx. Weights are not kept:
constants above 1 KB are cut from GraphDefs, ONNX initialisers lose their data (the shapes stay).
All files are gzip; the README says which version wrote them.
"""
import glob
import gzip
import os
import sys
import tempfile

OUT = sys.argv[1]
os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")


def put(name, data):
    if isinstance(data, str):
        data = data.encode()
    with open(os.path.join(OUT, name + ".gz"), "wb") as f:
        f.write(gzip.compress(data, 9, mtime=0))
    print(name, len(data), os.path.getsize(f.name))


def slim(graph):
    """Cuts tensors above 1 KB out of a GraphDef; type and shape stay."""
    for nodes in [graph.node] + [f.node_def for f in graph.library.function]:
        for n in nodes:
            for a in n.attr.values():
                if a.HasField("tensor") and a.tensor.ByteSize() > 1024:
                    for field in ("tensor_content", "float_val", "int_val", "int64_val"):
                        a.tensor.ClearField(field)
    return graph


def tensorflow():
    import keras
    import tensorflow as tf

    # ResNet-50, its training step, as TensorFlow 1 logs a graph: one GraphDef, no functions.
    tf1 = tf.compat.v1
    keras.utils.set_random_seed(1)
    with tf.Graph().as_default() as g:
        def conv(x, filters, size, stride, name):
            with tf1.variable_scope(name):
                w = tf1.get_variable("kernel", [size, size, x.shape[-1], filters], use_resource=False)
                x = tf.nn.conv2d(x, w, stride, "SAME", name="Conv2D")
                gamma = tf1.get_variable("gamma", [filters], use_resource=False)
                beta = tf1.get_variable("beta", [filters], use_resource=False)
                return tf1.nn.fused_batch_norm(x, gamma, beta, name="FusedBatchNorm")[0]

        x = tf1.placeholder(tf.float32, [None, 224, 224, 3], "images")
        y = tf1.placeholder(tf.int32, [None], "labels")
        h = tf.nn.relu(conv(x, 64, 7, 2, "stem"))
        for s, (n, f) in enumerate([(3, 64), (4, 128), (6, 256), (3, 512)]):
            for b in range(n):
                with tf1.variable_scope(f"stage{s + 1}/block_{b}"):
                    stride = 2 if b == 0 and s else 1
                    z = tf.nn.relu(conv(h, f, 1, stride, "conv1"))
                    z = tf.nn.relu(conv(z, f, 3, 1, "conv2"))
                    z = conv(z, 4 * f, 1, 1, "conv3")
                    short = conv(h, 4 * f, 1, stride, "shortcut") if b == 0 else h
                    h = tf.nn.relu(z + short)
        with tf1.variable_scope("head"):
            h = tf.reduce_mean(h, [1, 2])
            w = tf1.get_variable("kernel", [2048, 1000], use_resource=False)
            logits = tf.matmul(h, w, name="logits")
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits), name="loss")
        tf1.summary.scalar("loss", loss)
        tf1.summary.histogram("logits", logits)
        with tf.device("/job:worker/replica:0/task:0/device:GPU:0"):
            tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
        put("tf_resnet50_train.pb", slim(g.as_graph_def(add_shapes=False)).SerializeToString(deterministic=True))
    with tf.Graph().as_default() as g:
        x = tf1.placeholder(tf.float32, [None, 8], "x")
        w = tf1.get_variable("w", [8, 4], use_resource=False)
        for i in range(6):
            w = tf.identity(w, name="copy")
        y = tf.matmul(x, w, name="y")
        with tf1.Session() as s:
            s.run(tf1.global_variables_initializer())
            md = tf1.RunMetadata()
            s.run(y, {x: [[1.0] * 8]}, options=tf1.RunOptions(trace_level=tf1.RunOptions.FULL_TRACE, output_partition_graphs=True), run_metadata=md)
        put("tf1_run_metadata.pb", md.SerializeToString(deterministic=True))
        put("tf1_small.pb", g.as_graph_def(add_shapes=True).SerializeToString(deterministic=True))
        put("tf1_small.pbtxt", str(g.as_graph_def(add_shapes=True)))
        put("tf1_meta.pb", tf1.train.export_meta_graph(clear_extraneous_savers=True).SerializeToString(deterministic=True))

    # A transformer's encoder, traced by TensorFlow 2: functions in a library.
    def encoder(layers=4, width=64, heads=4):
        ids = keras.Input((32,), dtype="int32", name="ids")
        h = keras.layers.Embedding(1000, width, name="words")(ids)
        for i in range(layers):
            a = keras.layers.MultiHeadAttention(heads, width // heads, name=f"layer_{i}_attention")(h, h)
            h = keras.layers.LayerNormalization(name=f"layer_{i}_norm1")(h + a)
            d = keras.layers.Dense(4 * width, activation="gelu", name=f"layer_{i}_up")(h)
            d = keras.layers.Dense(width, name=f"layer_{i}_down")(d)
            h = keras.layers.LayerNormalization(name=f"layer_{i}_norm2")(h + d)
        return keras.Model(ids, keras.layers.Dense(2, name="classes")(h[:, 0]), name="encoder")

    bert = encoder()

    @tf.function
    def inner(x):
        return tf.nn.relu(x) * 2.0

    @tf.function
    def step(ids):
        with tf.name_scope("scores"):
            return inner(tf.nn.softmax(bert(ids))) + inner(tf.ones([1, 2]))

    put("tf2_encoder.pb", slim(step.get_concrete_function(tf.TensorSpec([None, 32], tf.int32)).graph.as_graph_def(add_shapes=True)).SerializeToString(deterministic=True))
    with tempfile.TemporaryDirectory() as d:
        w = tf.summary.create_file_writer(d)
        tf.summary.trace_on(graph=True, profiler=False)
        step(tf.zeros([2, 32], tf.int32))
        with w.as_default():
            tf.summary.trace_export("step", step=0)
        w.close()
        from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader
        for e in LegacyEventFileLoader(glob.glob(d + "/*")[0]).Load():
            for v in e.summary.value:
                md = v.tensor.string_val[0]
                from tensorflow.core.protobuf import config_pb2
                m = config_pb2.RunMetadata.FromString(md)
                for f in m.function_graphs:
                    for p in [f.pre_optimization_graph, f.post_optimization_graph] + list(f.partition_graphs):
                        slim(p)
                put("tf2_trace.pb", m.SerializeToString(deterministic=True))

    # Keras: functional with branches, sequential, nested.
    put("keras_functional.json", bert.to_json())
    seq = keras.Sequential([keras.Input((28, 28, 1)), keras.layers.Conv2D(8, 3, name="conv"), keras.layers.Flatten(name="flat"), keras.layers.Dense(10, name="dense")], name="seq")
    put("keras_sequential.json", seq.to_json())
    left, right = keras.Input((28, 28, 1), name="left"), keras.Input((28, 28, 1), name="right")
    siamese = keras.Model([left, right], keras.layers.Concatenate(name="both")([seq(left), seq(right)]), name="siamese")
    put("keras_nested.json", siamese.to_json())


def torch_():
    import torch
    import torchvision
    from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader
    from torch.utils.tensorboard import SummaryWriter

    torch.manual_seed(1)
    model = torchvision.models.resnet18(weights=None)
    with tempfile.TemporaryDirectory() as d:
        w = SummaryWriter(d)
        w.add_graph(model, torch.zeros(1, 3, 64, 64))
        w.close()
        for e in LegacyEventFileLoader(glob.glob(d + "/*")[0]).Load():
            if e.graph_def:
                put("torch_resnet18.pb", e.graph_def)
    import io
    import onnx
    b = io.BytesIO()
    torch.onnx.export(torchvision.models.mobilenet_v2(weights=None), torch.zeros(1, 3, 64, 64), b, dynamo=False)
    m = onnx.load_from_string(b.getvalue())
    for t in m.graph.initializer:
        if t.ByteSize() > 1024:
            t.ClearField("raw_data")
    put("onnx_mobilenet_v2.onnx", m.SerializeToString(deterministic=True))

    from onnx import TensorProto, helper
    body = helper.make_graph([helper.make_node("Add", ["x", "one"], ["t"], name="plus")], "then", [], [helper.make_tensor_value_info("t", TensorProto.FLOAT, [2])])
    other = helper.make_graph([helper.make_node("Mul", ["x", "one"], ["e"], name="times")], "else", [], [helper.make_tensor_value_info("e", TensorProto.FLOAT, [2])])
    g = helper.make_graph(
        [helper.make_node("If", ["c"], ["y"], name="choose", then_branch=body, else_branch=other)], "with_if",
        [helper.make_tensor_value_info("c", TensorProto.BOOL, []), helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
        [helper.make_tensor("one", TensorProto.FLOAT, [2], [1.0, 1.0])])
    put("onnx_if.onnx", helper.make_model(g).SerializeToString(deterministic=True))


{"tensorflow": tensorflow, "torch": torch_}[sys.argv[2]]()
