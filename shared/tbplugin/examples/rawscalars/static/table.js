// rows shows points, [[wall time, step, value], …].
export function rows(table, points) {
  table.replaceChildren();
  for (const [wall, step, value] of [["Wall time", "Step", "Value"], ...points]) {
    const tr = table.insertRow();
    for (const text of [typeof wall === "number" ? new Date(wall * 1000).toISOString() : wall, step, value]) {
      tr.insertCell().textContent = String(text);
    }
  }
}
