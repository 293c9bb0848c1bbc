// The front end of the example: a table of all greetings, drawn anew when there are new data.
const get = async (path) => {
  const a = await fetch(path);
  if (!a.ok) throw new Error(await a.text());
  return a.json();
};

export async function render() {
  const style = document.createElement("style");
  style.textContent =
    "body{font:14px system-ui;margin:16px;color-scheme:var(--tb-scheme);color:var(--tb-text);background:var(--tb-bg)}" +
    "td,th{padding:4px 12px 4px 0;text-align:left}";
  const table = document.createElement("table"), note = document.createElement("p");
  document.head.append(style);
  document.body.append(note, table);
  const draw = async () => {
    table.replaceChildren();
    const row = (cell, ...texts) => {
      const tr = table.appendChild(document.createElement("tr"));
      for (const text of texts) tr.appendChild(document.createElement(cell)).textContent = text;
    };
    row("th", "Run", "Tag", "Greetings", "Description");
    let n = 0;
    for (const [run, tags] of Object.entries(await get("./tags"))) {
      for (const [tag, { description }] of Object.entries(tags)) {
        const list = await get("./greetings?" + new URLSearchParams({ run, tag }));
        n += list.length;
        row("td", run, tag, list.join(", "), description);
      }
    }
    note.textContent = `${n} greetings`;
  };
  tensorbored.on("reloaded", draw);
  await draw();
}
