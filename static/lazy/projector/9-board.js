// The dashboard: which tensors there are.
"use strict";
{
  const P = globalThis.tbProjector, H = tbKit;
  (globalThis.tbDrawn ??= {}).projector = (root, host) => {
    const said = H.make("p", { className: "quiet", role: "status" }), list = H.make("ul");
    root.append(said, list);
    const work = P.work((why) => { said.textContent = why; });
    let listed = "";
    const update = async () => {
      const files = host("files");
      if (files === listed) return;
      listed = files;
      try {
        const { tensors, problems } = await work.call("list", { files: JSON.parse(files) });
        const empty = " in this logdir. The projector lists what add_embedding writes, and checkpoints, .npy, .npz, .safetensors and .tsv files beside a projector_config.pbtxt.";
        said.textContent = `${tensors.length} tensors${tensors.length ? ". Their points are not drawn yet." : empty}` + problems.map((p) => ` ${p.path}: ${p.message} ${p.remedy ?? ""}`).join("");
        list.replaceChildren(...tensors.map((t) => H.make("li", {}, `${t.run} ${t.name} ${t.shape.join(" × ")} ${t.error?.message ?? ""}`)));
      } catch (e) {
        said.textContent = e.message;
      }
    };
    update();
    return { update, key: () => false, escape: () => false, help: () => [], end: () => work.end() };
  };
}
