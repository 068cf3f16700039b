// The worker that measures the speed of the engine.

import load, { Race } from "./site.js";

load().then(
  () => {
    const race = new Race();
    for (let standing; (standing = race.go_on()) !== undefined;) postMessage(JSON.parse(standing));
  },
  (error) => postMessage({ failed: error.message ?? String(error) }),
);
