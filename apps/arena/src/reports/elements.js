// Drawing functions of all pages. `report` is defined before; `data.rs` lists its fields.

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

/** Creates an element; attributes that are not strings or numbers are left out. */
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
  for (let x = Math.ceil(low / step) * step; x <= high + step * 1e-9; x += step)
    marks.push(Math.abs(x) < step / 1e6 ? 0 : x);
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
    draw(svg, "line", {
      x1: left,
      x2: width - right,
      y1: y(mark),
      y2: y(mark),
      stroke: mark === 0 ? "var(--even)" : "var(--line)",
    });
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

/** Removes a chart without data and its caption. */
const leaveOut = (svg) => svg.parentElement.remove();

/** Draws charts, and again when there is more or less room. Those that are left out are gone after the first time. */
function drawCharts(charts) {
  const fill = () => charts.forEach(([id, draw]) => byId(id) && draw(byId(id)));
  fill();
  window.addEventListener("resize", fill);
}
