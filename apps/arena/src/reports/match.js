// Draws a match from `report`, see data.rs.

function drawElo(svg) {
  const finite = report.curve.filter(([, values]) => values[1] !== null);
  if (!finite.length) return leaveOut(svg);
  // The first estimates vary widely, so the later half sets the scale.
  const later = finite.slice(Math.floor(finite.length / 2));
  const all = later.flatMap(([, values]) => values.filter((value) => value !== null)).concat([0]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const pad = (high - low || 10) * 0.15;
  const [y0, y1] = [low - pad, high + pad];
  const { x, y } = axes(svg, [1, Math.max(2, report.curve.at(-1)[0])], [y0, y1], { leastX: 1 });
  const clip = (value, otherwise) => y(Math.min(y1, Math.max(y0, value ?? otherwise)));
  const upper = report.curve.map(([n, [, , value]]) => [x(n), clip(value, y1)]);
  const lower = report.curve.map(([n, [value]]) => [x(n), clip(value, y0)]);
  draw(svg, "path", { d: path(upper.concat(lower.reverse())) + "Z", fill: "var(--a)", opacity: 0.18 });
  line(
    svg,
    finite.map(([n, [, value]]) => [x(n), clip(value)]),
    "var(--a)",
  );
}

function drawMargins(svg) {
  const margins = report.games.map((game) => game.points[0] - game.points[1]);
  if (!margins.length) return leaveOut(svg);
  const reach = Math.max(10, ...margins.map(Math.abs));
  const width = [1, 2, 5, 10, 20].find((n) => reach / n <= 16) ?? 50;
  // Bin k holds the margins from (k - 1) * width + 1 to k * width, and likewise below 0; draws are
  // bin 0.
  const bins = new Map();
  for (const margin of margins) {
    const bin = Math.sign(margin) * Math.ceil(Math.abs(margin) / width);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  const edge = Math.ceil(reach / width) * width;
  const { x, y } = axes(svg, [-edge, edge], [0, Math.max(1, ...bins.values())], { leastY: 1 });
  const bar = (center, half, count, color) => {
    const left = x(center - half);
    draw(svg, "rect", { x: left, y: y(count), width: x(center + half) - left, height: y(0) - y(count), fill: color });
  };
  for (const [bin, count] of bins) {
    if (bin !== 0) bar((bin - Math.sign(bin) / 2) * width, width * 0.42, count, bin > 0 ? "var(--a)" : "var(--b)");
  }
  if (bins.has(0)) bar(0, width * 0.2, bins.get(0), "var(--even)");
}

function drawTimes(svg) {
  const known = report.times.flat().filter((time) => time !== null);
  if (!known.length) return leaveOut(svg);
  const { x, y } = axes(svg, [1, Math.max(2, report.times.length)], [0, Math.max(...known) * 1.05], { leastX: 1 });
  for (const [side, color, dashes] of [
    [0, "var(--a)", ""],
    [1, "var(--b)", "6 4"],
  ]) {
    const points = report.times.map((sides, i) => [i + 1, sides[side]]).filter(([, time]) => time !== null);
    line(
      svg,
      points.map(([round, time]) => [x(round), y(time)]),
      color,
      dashes,
    );
    if (points.length) {
      const [round, time] = points.reduce((best, point) => (point[1] > best[1] ? point : best));
      draw(svg, "text", { x: x(round) + 4, y: Math.max(14, y(time) - 4), style: `fill: ${color}` }, "AB"[side]);
    }
  }
}

function drawPairs(svg) {
  if (!report.pairs.some((count) => count > 0)) return leaveOut(svg);
  const { x, y } = axes(svg, [-0.25, 2.25], [0, Math.max(1, ...report.pairs) * 1.1], { leastX: 0.5, leastY: 1 });
  report.pairs.forEach((count, i) => {
    const left = x(i / 2 - 0.18);
    const color = i > 2 ? "var(--a)" : i < 2 ? "var(--b)" : "var(--even)";
    draw(svg, "rect", { x: left, y: y(count), width: x(i / 2 + 0.18) - left, height: y(0) - y(count), fill: color });
    draw(svg, "text", { x: x(i / 2), y: y(count) - 3, "text-anchor": "middle" }, count || "");
  });
}

function fillHead() {
  document.title = `Match ${report.id}: ${report.names.join(" – ")}`;
  byId("title").textContent = report.names.join("  –  ");
  byId("subtitle").textContent =
    `match ${report.id}, rules ${report.rules}, ${report.created.slice(0, 16).replace("T", " ")} UTC`;
  const [won, drawn, lost] = report.games_of_a;
  const count = won + drawn + lost;
  const card = (value, text) => {
    const box = make(byId("cards"), "div", { class: "card" });
    make(box, "b", {}, value);
    make(box, "span", {}, text);
  };
  card(`${won} : ${drawn} : ${lost}`, "games won, drawn, lost by A");
  if (count) card(`${((100 * report.points) / count).toFixed(1)} %`, `${report.points} points of A in ${count} games`);
  if (report.elo)
    card(`${eloText(report.elo[1])} Elo`, `95 % between ${eloText(report.elo[0])} and ${eloText(report.elo[2])}`);
  if (report.mean_margin !== null) card(signed(report.mean_margin, 1), "mean margin of A in points");
}

function fillResult() {
  const table = byId("result");
  row(table, ["contestant", "points", "moves", "mean ms", "slowest ms", "faults"], "th");
  const count = report.games_of_a.reduce((sum, n) => sum + n, 0);
  report.sides.forEach((side, i) => {
    const points = i === 0 ? report.points : count - report.points;
    const faults = ["illegal", "late", "left", "resigned"]
      .filter((kind) => side[kind] > 0)
      .map((kind) => `${side[kind]} ${kind}`);
    const cells = ["", points, side.moves, side.mean_ms ?? "–", side.slowest_ms ?? "–", faults.join(", ") || 0];
    const cell = row(table, cells).firstChild;
    cell.className = "name";
    make(cell, "span", { class: "key", style: `background: var(--${"ab"[i]})` }, "AB"[i]);
    make(cell, "span", {}, report.names[i]);
  });
}

fillHead();
fillResult();
const charts = [
  ["elo", drawElo],
  ["margins", drawMargins],
  ["times", drawTimes],
  ["pairs", drawPairs],
];
drawCharts(charts);
listGames();
