/**
 * Changes the position that a board shows.
 *
 * `svg` is the element that was drawn for any position, in the page itself. Cells are numbers, 20 times the row from the
 * top plus the column from the left; colours come in the order of turns: blue, yellow, red, green.
 *
 * @param {SVGElement} svg
 * @param {object} shown
 * @param {number[][]} shown.covered the covered cells of each colour
 * @param {number[]} [shown.last] the cells of the last move
 * @param {number[][]} [shown.anchors] for each colour the cells to mark as its anchors
 * @param {string} [shown.title] the name for screen readers; without one it stays
 * @param {string} [shown.description] the description for screen readers; without one it stays
 */
function paintBoard(svg, { covered, last = [], anchors = [[], [], [], []], title, description }) {
  const names = ["blue", "yellow", "red", "green"];
  const place = (cell) => [cell % 20, Math.floor(cell / 20)];
  const ordered = (cells) => [...cells].sort((a, b) => a - b);
  const set = (selector, key, value) => svg.querySelector(selector)?.setAttribute(key, value);

  const square = (cell) => `M${place(cell).join(" ")}h1v1h-1z`;
  // The dots of four colours fit into one cell.
  const dot = (color) => (cell) => {
    const [x, y] = place(cell);
    return `M${x} ${y}m${[".24", ".52", ".52", ".24"][color]} ${[".24", ".24", ".52", ".52"][color]}h.24v.24h-.24z`;
  };
  const outline = (cells) => {
    const inside = new Set(cells);
    const has = (x, y) => x >= 0 && x < 20 && y >= 0 && y < 20 && inside.has(20 * y + x);
    return ordered(cells)
      .map((cell) => {
        const [x, y] = place(cell);
        return [
          has(x, y - 1) ? "" : `M${x} ${y}h1`,
          has(x, y + 1) ? "" : `M${x} ${y + 1}h1`,
          has(x - 1, y) ? "" : `M${x} ${y}v1`,
          has(x + 1, y) ? "" : `M${x + 1} ${y}v1`,
        ].join("");
      })
      .join("");
  };

  names.forEach((name, color) => {
    const cells = ordered(covered[color]);
    set(`.cells .${name}`, "d", cells.map(square).join(""));
    set(`.anchors .${name}`, "d", ordered(anchors[color]).map(dot(color)).join(""));
    const letters = svg.querySelector(`.letters .${name}`);
    if (letters) {
      ["x", "y"].forEach((axis, i) => {
        if (cells.length) letters.setAttribute(axis, cells.map((cell) => `${place(cell)[i]}.5`).join(" "));
        else letters.removeAttribute(axis);
      });
      letters.textContent = name[0].toUpperCase().repeat(cells.length);
    }
  });
  for (const selector of [".last-edge", ".last"]) set(selector, "d", outline(last));
  for (const [name, text] of [
    ["title", title],
    ["desc", description],
  ]) {
    const element = svg.querySelector(name);
    if (element && text !== undefined) element.textContent = text;
  }
}
