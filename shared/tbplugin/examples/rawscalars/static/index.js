// The front end of the example: choose a run and a tag, see its points. What is chosen stands in
// the viewer's address.
import { rows } from "./table.js";

const get = async (path) => (await fetch(path)).json();

export async function render() {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = "static/style.css";
  document.head.append(link);
  const choice = document.body.appendChild(document.createElement("select")),
    table = document.body.appendChild(document.createElement("table"));
  choice.ariaLabel = "Series";
  const tags = await get("./tags"), chosen = await tensorbored.state.get();
  for (const [run, of] of Object.entries(tags)) {
    for (const tag of Object.keys(of)) {
      const o = choice.appendChild(document.createElement("option"));
      o.textContent = `${run}: ${tag}`;
      o.value = JSON.stringify([run, tag]);
      o.selected = chosen.run === run && chosen.tag === tag;
    }
  }
  const draw = async () => {
    const [run, tag] = JSON.parse(choice.value);
    rows(table, await get("./scalars?" + new URLSearchParams({ run, tag })));
  };
  choice.onchange = async () => {
    const [run, tag] = JSON.parse(choice.value);
    await tensorbored.state.set({ run, tag });
    await draw();
  };
  await draw();
}
