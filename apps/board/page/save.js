// Pictures of the board as files, made on the page.

/** Lets the browser save a file. */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Returns the colours of the board, as the page has loaded them. */
const boardStyle = () =>
  [...document.styleSheets]
    .filter((sheet) => sheet.href?.endsWith("/board.css"))
    .flatMap((sheet) => [...sheet.cssRules])
    .map((rule) => rule.cssText)
    .join("\n");

/** Returns a copy of the board as a whole SVG file, without marks. */
function standalone(svg, side) {
  const copy = svg.cloneNode(true);
  copy.querySelectorAll(".layer").forEach((layer) => layer.remove());
  if (!svg.classList.contains("lettered")) copy.querySelector(".letters")?.remove();
  copy.removeAttribute("tabindex");
  copy.setAttribute("class", "blokus");
  copy.setAttribute("width", side);
  copy.setAttribute("height", side);
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = boardStyle();
  copy.querySelector("desc").after(style);
  return new XMLSerializer().serializeToString(copy);
}

export async function saveSvg(svg, name) {
  download(new Blob([standalone(svg, 800)], { type: "image/svg+xml" }), name);
}

export async function savePng(svg, name) {
  const side = 1200;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg, side))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, side, side);
  context.drawImage(image, 0, 0, side, side);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  download(blob, name);
}
