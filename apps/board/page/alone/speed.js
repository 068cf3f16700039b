// The page that shows the speed of the engine in this browser.

import { byId, make } from "./dom.js";
import { Settings, applyTheme } from "./settings.js";
import { words } from "./words.js";

applyTheme(new Settings("look", { theme: "auto" }).theme);
document.title = words.speed;
const [speed, state] = [make("p", { class: "speed" }), make("p", { role: "status" })];
byId("main").append(
  make(
    "div",
    { class: "start" },
    make(
      "section",
      { class: "card" },
      make("h1", {}, words.speed),
      speed,
      state,
      make("p", {}, make("a", { href: "./" }, words.title)),
    ),
  ),
);

const worker = new Worker(new URL("./race.js", import.meta.url), { type: "module" });
const show = ({ failed, done, total, per_second: perSecond, fingerprint, is_recorded: isRecorded }) => {
  if (failed) {
    state.textContent = words.noEngine(failed);
    return;
  }
  speed.textContent = words.speedOf(Math.round(perSecond).toLocaleString(document.documentElement.lang));
  if (!fingerprint) state.textContent = words.searching(done, total);
  else state.textContent = isRecorded ? words.sameMoves(fingerprint) : words.otherMoves(fingerprint);
  // For programs that read this page.
  if (fingerprint) document.body.dataset.speed = JSON.stringify({ perSecond, fingerprint });
};
worker.addEventListener("message", ({ data }) => show(data));
worker.addEventListener("error", (event) => show({ failed: event.message ?? "race.js" }));
