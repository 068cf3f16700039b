// Draws the match. `match` is defined before, see data.rs for what it holds; so is `paintBoard`, of the crate picture.

const SVG = "http://www.w3.org/2000/svg";
const COLORS = [
  { name: "BLUE", letter: "B", fill: "var(--blue)", ink: "white", team: "ONE" },
  { name: "YELLOW", letter: "Y", fill: "var(--yellow)", ink: "#1d2733", team: "TWO" },
  { name: "RED", letter: "R", fill: "var(--red)", ink: "#1d2733", team: "ONE" },
  { name: "GREEN", letter: "G", fill: "var(--green)", ink: "#1d2733", team: "TWO" },
];
const byId = (id) => document.getElementById(id);
const signed = (x, digits = 0) => (x > 0 ? "+" : x < 0 ? "−" : "") + Math.abs(x).toFixed(digits);
const eloText = (x) => (Math.abs(x) >= 9999 ? (x > 0 ? "+∞" : "−∞") : signed(x));

/** A new element; attributes that are not strings or numbers are left out. */
function make(parent, name, attributes = {}, text = null, space = null) {
  const element = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  parent.appendChild(element);
  return element;
}
const draw = (parent, name, attributes, text = null) => make(parent, name, attributes, text, SVG);

function row(table, cells, kind = "td") {
  const line = make(table, "tr");
  for (const cell of cells) make(line, kind, {}, cell);
  return line;
}

/** Round numbers between low and high, about `count` of them and at least `least` apart. */
function ticks(low, high, count, least) {
  const raw = Math.max((high - low) / count || 1, least);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((n) => n * power >= raw) * power;
  const marks = [];
  for (let x = Math.ceil(low / step) * step; x <= high + step * 1e-9; x += step) marks.push(Math.abs(x) < step / 1e6 ? 0 : x);
  return marks;
}

/**
 * Clears a chart and draws axes and a grid; returns functions from values to places. Marks are at least `leastX` and
 * `leastY` apart. The chart has as many units as it has pixels, so that its text is as large as any other.
 */
function axes(svg, [x0, x1], [y0, y1], { leastX = 0, leastY = 0 } = {}) {
  const [left, right, top, bottom] = [48, 10, 8, 24];
  const width = Math.max(240, svg.clientWidth);
  const height = Math.max(180, Math.round(width * 0.43));
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const x = (value) => left + ((value - x0) / (x1 - x0 || 1)) * (width - left - right);
  const y = (value) => height - bottom - ((value - y0) / (y1 - y0 || 1)) * (height - top - bottom);
  const short = (value) => String(Math.round(value * 1000) / 1000).replace("-", "−");
  for (const mark of ticks(y0, y1, 5, leastY)) {
    draw(svg, "line", { x1: left, x2: width - right, y1: y(mark), y2: y(mark), stroke: mark === 0 ? "var(--even)" : "var(--line)" });
    draw(svg, "text", { x: left - 6, y: y(mark) + 4, "text-anchor": "end" }, short(mark));
  }
  for (const mark of ticks(x0, x1, width / 70, leastX)) {
    draw(svg, "text", { x: x(mark), y: height - 6, "text-anchor": "middle" }, short(mark));
  }
  return { x, y, top: y(y1), bottom: y(y0) };
}

const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

function line(svg, points, color, dashes = "") {
  if (points.length === 1) draw(svg, "circle", { cx: points[0][0], cy: points[0][1], r: 3, fill: color });
  draw(svg, "path", { d: path(points), fill: "none", stroke: color, "stroke-width": 2, "stroke-dasharray": dashes });
}

/** A chart that nothing is known for, as of times in imported games, is left out with its caption. */
const leaveOut = (svg) => svg.parentElement.remove();

function drawElo(svg) {
  const finite = match.curve.filter(([, values]) => values[1] !== null);
  if (!finite.length) return leaveOut(svg);
  // The first estimates are wild; the scale is that of the later half.
  const later = finite.slice(Math.floor(finite.length / 2));
  const all = later.flatMap(([, values]) => values.filter((value) => value !== null)).concat([0]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const pad = (high - low || 10) * 0.15;
  const [y0, y1] = [low - pad, high + pad];
  const { x, y } = axes(svg, [1, Math.max(2, match.curve.at(-1)[0])], [y0, y1], { leastX: 1 });
  const clip = (value, otherwise) => y(Math.min(y1, Math.max(y0, value ?? otherwise)));
  const upper = match.curve.map(([n, [, , value]]) => [x(n), clip(value, y1)]);
  const lower = match.curve.map(([n, [value]]) => [x(n), clip(value, y0)]);
  draw(svg, "path", { d: path(upper.concat(lower.reverse())) + "Z", fill: "var(--a)", opacity: 0.18 });
  line(svg, finite.map(([n, [, value]]) => [x(n), clip(value)]), "var(--a)");
}

function drawMargins(svg) {
  const margins = match.games.filter((game) => game.outcome !== null).map((game) => game.points[0] - game.points[1]);
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
  const known = match.times.flat().filter((time) => time !== null);
  if (!known.length) return leaveOut(svg);
  const { x, y } = axes(svg, [1, Math.max(2, match.times.length)], [0, Math.max(...known) * 1.05], { leastX: 1 });
  for (const [side, color, dashes] of [[0, "var(--a)", ""], [1, "var(--b)", "6 4"]]) {
    const points = match.times.map((sides, i) => [i + 1, sides[side]]).filter(([, time]) => time !== null);
    line(svg, points.map(([round, time]) => [x(round), y(time)]), color, dashes);
    if (points.length) {
      const [round, time] = points.reduce((best, point) => (point[1] > best[1] ? point : best));
      draw(svg, "text", { x: x(round) + 4, y: Math.max(14, y(time) - 4), style: `fill: ${color}` }, "AB"[side]);
    }
  }
}

function drawPairs(svg) {
  if (!match.pairs.some((count) => count > 0)) return leaveOut(svg);
  const { x, y } = axes(svg, [-0.25, 2.25], [0, Math.max(1, ...match.pairs) * 1.1], { leastX: 0.5, leastY: 1 });
  match.pairs.forEach((count, i) => {
    const left = x(i / 2 - 0.18);
    const color = i > 2 ? "var(--a)" : i < 2 ? "var(--b)" : "var(--even)";
    draw(svg, "rect", { x: left, y: y(count), width: x(i / 2 + 0.18) - left, height: y(0) - y(count), fill: color });
    draw(svg, "text", { x: x(i / 2), y: y(count) - 3, "text-anchor": "middle" }, count || "");
  });
}

function fillHead() {
  document.title = `Match ${match.id}: ${match.names.join(" – ")}`;
  byId("title").textContent = match.names.join("  –  ");
  byId("subtitle").textContent = `match ${match.id}, rules ${match.rules}, ${match.created.slice(0, 16).replace("T", " ")} UTC`;
  const [won, drawn, lost] = match.games_of_a;
  const count = won + drawn + lost;
  const card = (value, text) => {
    const box = make(byId("cards"), "div", { class: "card" });
    make(box, "b", {}, value);
    make(box, "span", {}, text);
  };
  const unfinished = match.unfinished ? `, ${match.unfinished} unfinished` : "";
  card(`${won} : ${drawn} : ${lost}`, `games won, drawn, lost by A${unfinished}`);
  if (count) card(`${((100 * match.points) / count).toFixed(1)} %`, `${match.points} points of A in ${count} games`);
  if (match.elo) card(`${eloText(match.elo[1])} Elo`, `95 % between ${eloText(match.elo[0])} and ${eloText(match.elo[2])}`);
  if (match.mean_margin !== null) card(signed(match.mean_margin, 1), "mean margin of A in points");
}

function fillResult() {
  const table = byId("result");
  row(table, ["contestant", "points", "moves", "mean ms", "slowest ms", "faults"], "th");
  const count = match.games_of_a.reduce((sum, n) => sum + n, 0);
  match.sides.forEach((side, i) => {
    const points = i === 0 ? match.points : count - match.points;
    const faults = ["illegal", "late", "left", "resigned"].filter((kind) => side[kind] > 0).map((kind) => `${side[kind]} ${kind}`);
    const cells = ["", points, side.moves, side.mean_ms ?? "–", side.slowest_ms ?? "–", faults.join(", ") || 0];
    const cell = row(table, cells).firstChild;
    cell.className = "name";
    make(cell, "span", { class: "key", style: `background: var(--${"ab"[i]})` }, "AB"[i]);
    make(cell, "span", {}, match.names[i]);
  });
}

// The viewer shows the position after `ply` moves of game number `chosen`.
let chosen = 0;
let ply = 0;

function show() {
  const game = match.games[chosen];
  const covered = game.start.map((cells) => [...cells]);
  const points = covered.map((cells) => cells.length);
  for (const move of game.plies.slice(0, ply)) {
    covered[move.color].push(...move.cells);
    points[move.color] = move.points;
  }
  const last = ply > 0 ? game.plies[ply - 1] : null;
  const title = `Game ${game.id} after ${ply} of ${game.plies.length} moves`;
  const description = COLORS.map(({ name }, color) => `${name}: ${points[color]} points`).join(", ");
  paintBoard(document.querySelector("svg.blokus"), { covered, last: last?.cells, title, description });
  const slider = byId("slider");
  slider.max = game.plies.length;
  slider.value = ply;
  byId("game-title").textContent = `Game ${game.id}, pair ${game.pair}: ${game.points.join(" : ")}, ${game.verdict}`;
  byId("move").textContent = last ? describe(last) : `Start${game.start_piece ? ", start piece " + game.start_piece : ""}`;
  fillScore(game, points);
  drawCourse(game);
  document.querySelectorAll("tr[data-game]").forEach((line, i) => line.classList.toggle("chosen", i === chosen));
}

function describe(move) {
  const parts = [`Turn ${move.turn}: ${COLORS[move.color].name} ${move.text}`];
  if (move.ms !== null) parts.push(`${move.ms} ms`);
  if (move.nodes) parts.push(`${move.nodes} node${move.nodes > 1 ? "s" : ""}`);
  if (move.win_of_a !== null) parts.push(`A expects ${(100 * move.win_of_a).toFixed(0)} %, ${signed(move.margin_of_a, 1)} points`);
  return parts.join(", ");
}

function fillScore(game, points) {
  const table = byId("score");
  table.replaceChildren();
  row(table, ["side", "colours", "points"], "th");
  for (const side of [0, 1]) {
    const team = (side === 0) === (game.a_is === "ONE") ? "ONE" : "TWO";
    const own = COLORS.map((color, i) => ({ ...color, points: points[i] })).filter((color) => color.team === team);
    const line = row(table, ["AB"[side], "", own[0].points + own[1].points]);
    for (const color of own) {
      make(line.children[1], "span", { class: "key", style: `background: ${color.fill}; color: ${color.ink}` }, color.letter);
      make(line.children[1], "span", {}, `${color.points}  `);
    }
  }
}

/** How the game went: the chances that the contestants told, or the points if they told none. */
function drawCourse(game) {
  const svg = byId("course");
  const count = Math.max(1, game.plies.length);
  const isOfA = (move) => (COLORS[move.color].team === "ONE") === (game.a_is === "ONE");
  let axis;
  if (game.plies.some((move) => move.win_of_a !== null)) {
    byId("course-caption").textContent = "Chance of A to win, as told by A (solid) and by B (dashed)";
    axis = axes(svg, [0, count], [0, 1], { leastX: 1 });
    for (const [wanted, color, dashes] of [[true, "var(--a)", ""], [false, "var(--b)", "6 4"]]) {
      const points = game.plies.map((move, i) => [i + 1, move]).filter(([, move]) => move.win_of_a !== null && isOfA(move) === wanted);
      if (points.length) line(svg, points.map(([i, move]) => [axis.x(i), axis.y(move.win_of_a)]), color, dashes);
    }
  } else {
    byId("course-caption").textContent = "Points of A (solid) and of B (dashed)";
    const points = game.start.map((cells) => cells.length);
    const ofSide = (wanted) => COLORS.reduce((sum, _, color) => sum + (isOfA({ color }) === wanted ? points[color] : 0), 0);
    const course = [[ofSide(true), ofSide(false)]];
    for (const move of game.plies) {
      points[move.color] = move.points;
      course.push([ofSide(true), ofSide(false)]);
    }
    axis = axes(svg, [0, count], [0, Math.max(1, ...course.flat())], { leastX: 1, leastY: 1 });
    line(svg, course.map(([a], i) => [axis.x(i), axis.y(a)]), "var(--a)");
    line(svg, course.map(([, b], i) => [axis.x(i), axis.y(b)]), "var(--b)", "6 4");
  }
  draw(svg, "line", { x1: axis.x(ply), x2: axis.x(ply), y1: axis.top, y2: axis.bottom, stroke: "var(--ink)" });
}

function go(newPly) {
  ply = Math.min(Math.max(0, newPly), match.games[chosen].plies.length);
  show();
}

function choose(game) {
  chosen = Math.min(Math.max(0, game), match.games.length - 1);
  ply = match.games[chosen].plies.length;
  show();
}

function fillGames() {
  const table = byId("games");
  row(table, ["game", "pair", "A is", "A : B", ""], "th");
  match.games.forEach((game, i) => {
    const line = row(table, [game.id, game.pair, game.a_is, game.points.join(" : "), ["lost", "drawn", "won"][game.outcome] ?? "unfinished"]);
    line.dataset.game = i;
    line.tabIndex = 0;
    line.addEventListener("click", () => choose(i));
    line.addEventListener("keydown", (event) => event.key === "Enter" && choose(i));
  });
}

fillHead();
fillResult();
const charts = [["elo", drawElo], ["margins", drawMargins], ["times", drawTimes], ["pairs", drawPairs]];
/** Those that are left out are gone after the first time. */
const drawCharts = () => charts.forEach(([id, fill]) => byId(id) && fill(byId(id)));
drawCharts();
fillGames();
if (match.games.length) {
  const actions = { first: () => go(0), back: () => go(ply - 1), next: () => go(ply + 1), last: () => go(Infinity) };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  document.addEventListener("keydown", (event) => {
    const keys = { Home: actions.first, ArrowLeft: actions.back, ArrowRight: actions.next, End: actions.last };
    keys.ArrowUp = () => choose(chosen - 1);
    keys.ArrowDown = () => choose(chosen + 1);
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  choose(0);
}
window.addEventListener("resize", () => {
  drawCharts();
  if (match.games.length) drawCourse(match.games[chosen]);
});
