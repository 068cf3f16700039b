// The worker in which the engine shows how fast it is.

import load, { Race } from "./site.js";

load().then(
  () => {
    const race = new Race();
    for (let standing; (standing = race.go_on()) !== undefined; ) postMessage(JSON.parse(standing));
  },
  (error) => postMessage({ failed: error.message ?? String(error) }),
);
