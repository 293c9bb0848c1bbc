// Saves the picture, on white.
"use strict";
{
  const G = globalThis.tbGraph, H = tbKit;
  const paper = { least: "#fff0e8", most: "#fb6a4a", rest: "#e9ebef", css: `
    text{font-family:Helvetica,Arial,sans-serif;font-size:11px;fill:#1b2430;text-anchor:middle}
    .shape{fill:#f6f7f9;stroke:#858d9a}
    .open>.shape{fill:#000;fill-opacity:.03}
    .constant>.shape,.placeholder>.shape,.parameter>.shape{stroke-dasharray:3 2}
    .note text{font-size:9px;fill:#5d6878}
    .note.left text{text-anchor:end}
    .note.right text{text-anchor:start}
    .note line{stroke:#858d9a;stroke-dasharray:1 2}
    .note circle{fill:#fff;stroke:#858d9a}
    .gr-edge{fill:none;stroke:#858d9a;stroke-opacity:.75}
    .control{stroke-dasharray:2 3}
    .ref{stroke:#c77d0a}
    .along{font-size:9px;fill:#5d6878;paint-order:stroke;stroke:#fff;stroke-width:3px}
    .gr-arrow{fill:#858d9a}
    .added>.shape,.gr-edge.added{stroke:#1f8a54}
    .removed>.shape,.gr-edge.removed{stroke:#c23b3b;stroke-dasharray:5 3}
    .changed>.shape{stroke:#b7791f}
    .renamed>.shape{stroke:#2a7f9e;stroke-dasharray:1 2}
    .added>.shape,.removed>.shape,.changed>.shape,.renamed>.shape{stroke-width:2.5}` };

  // saveImage saves a picture whole, or what is seen of it, as "svg" or as "png", whose width is
  // asked for under an element.
  G.saveImage = async (picture, form, whole, under) => {
    const made = picture.image(whole, paper);
    if (form === "svg") return H.download("graph.svg", "image/svg+xml", made.text);
    const wide = Number(await H.question(under, "Save the picture", "Width of the picture, in pixels", "Save",
      String(Math.round(Math.min(8000, made.w * 2))), { type: "number", min: 1, max: 16000, required: true }));
    if (!(wide >= 1)) return;
    const k = Math.min(wide / made.w, 16000 / made.h, 16000 / made.w), img = new Image();
    img.onload = () => {
      const c = document.createElement("canvas");
      c.width = Math.round(made.w * k);
      c.height = Math.round(made.h * k);
      c.getContext("2d").drawImage(img, 0, 0, c.width, c.height);
      H.downloadPicture("graph.png", c, " Choose a smaller one.");
    };
    img.onerror = () => H.say("The browser could not make this picture. Save it as SVG, or choose a smaller width.");
    img.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(made.text);
  };
}
