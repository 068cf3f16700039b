// The worker of the engine. It searches in parts and reads messages between them.

import load, { Engine } from "./site.js";

const loaded = load().then(() => new Engine());
loaded.catch((error) => postMessage({ failed: error.message ?? String(error) }));
let timer = null;

function work(engine) {
  const report = engine.step();
  if (report !== undefined) postMessage({ report });
  if (engine.is_busy()) timer = setTimeout(work, 0, engine);
}

addEventListener("message", async ({ data }) => {
  const engine = await loaded;
  clearTimeout(timer);
  const delay = engine.take(data);
  if (delay !== undefined) timer = setTimeout(work, delay, engine);
});
