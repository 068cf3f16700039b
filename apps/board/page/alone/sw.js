// The service worker: keeps the files of the site, so that it works offline.

const FILES = [/*FILES*/];
const CACHE = "board";

addEventListener("install", (event) => {
  skipWaiting();
  // Without "reload" old files could come from the cache of the browser.
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(FILES.map((name) => new Request(name, { cache: "reload" })))),
  );
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

/** The network comes first, so that all files are from one version. */
async function answer(request) {
  const cache = await caches.open(CACHE);
  // The page of each game has the same file.
  const file = request.url.split("?")[0];
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(file, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(file);
    if (kept) return kept;
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const isOwn = event.request.method === "GET" && new URL(event.request.url).origin === location.origin;
  if (isOwn) event.respondWith(answer(event.request));
});
