// Draws a tournament from `report`, see data.rs.

function fillHead() {
  const form = report.swiss_rounds ? `${report.swiss_rounds} Swiss rounds` : "round robin";
  document.title = `Tournament of ${report.names.length}`;
  byId("title").textContent = `Tournament of ${report.names.length}: ${form}`;
  const begun = report.created ? `, ${report.created.slice(0, 16).replace("T", " ")} UTC` : "";
  byId("subtitle").textContent = `rules ${report.rules}, ${report.games_of_two} games per pairing${begun}`;
  const card = (value, text) => {
    const box = make(byId("cards"), "div", { class: "card" });
    make(box, "b", {}, value);
    make(box, "span", {}, text);
  };
  card(report.names[0], "first in the table");
  card(report.games.length, "games");
}

function fillTable() {
  const table = byId("table");
  const hasByes = report.table.some((line) => line.byes > 0);
  const more = hasByes ? ["byes"] : [];
  row(
    table,
    ["", "contestant", "won", "drawn", "lost", ...more, "win points", "mean points", "Elo", "95 % interval"],
    "th",
  );
  report.table.forEach((line, place) => {
    const [low, elo, high] = line.elo.map(eloText);
    const byes = hasByes ? [line.byes] : [];
    const cells = [`${place + 1}.`, report.names[place], ...line.games, ...byes, line.win_points];
    const made = row(table, [...cells, line.average_points.toFixed(1), elo, `${low} to ${high}`]);
    made.children[1].className = "name versus";
  });
}

/** Draws a dot for each estimate with a line for its interval. */
function drawElo(svg) {
  const isFinite = (value) => Math.abs(value) < 9999;
  const finite = report.table.flatMap((line) => line.elo).filter(isFinite);
  if (!finite.length) return leaveOut(svg);
  const [low, high] = [Math.min(...finite, 0), Math.max(...finite, 0)];
  const pad = (high - low || 10) * 0.08;
  const [y0, y1] = [low - pad, high + pad];
  const { x, y } = axes(svg, [0.5, report.table.length + 0.5], [y0, y1], { leastX: 1 });
  const clip = (value) => y(Math.min(y1, Math.max(y0, value)));
  report.table.forEach(({ elo: [low, elo, high] }, place) => {
    const at = x(place + 1);
    draw(svg, "line", {
      x1: at,
      x2: at,
      y1: clip(low),
      y2: clip(high),
      stroke: "var(--a)",
      "stroke-width": 3,
      opacity: 0.45,
    });
    draw(svg, "circle", { cx: at, cy: clip(elo), r: 4.5, fill: "var(--a)" });
  });
}

function fillCross() {
  const table = byId("cross");
  row(table, ["", "contestant", ...report.names.map((_, place) => place + 1)], "th");
  let shown = null;
  const choosePair = (cell, one, other) => {
    shown?.classList.remove("chosen");
    shown = shown === cell ? null : cell;
    shown?.classList.add("chosen");
    const isOfPair = ({ sides }) => sides.includes(one) && sides.includes(other);
    listGames(shown ? isOfPair : undefined);
  };
  report.cross.forEach((cells, one) => {
    const line = row(table, [`${one + 1}.`, report.names[one]]);
    line.children[1].className = "name versus";
    cells.forEach((games, other) => {
      const cell = make(line, "td");
      if (!games) return;
      const button = make(cell, "button", { title: `${report.names[one]} – ${report.names[other]}` }, games.join("-"));
      button.addEventListener("click", () => choosePair(cell, one, other));
    });
  });
}

fillHead();
if (report.games.length) {
  fillTable();
  drawCharts([["elo", drawElo]]);
  fillCross();
}
listGames();
