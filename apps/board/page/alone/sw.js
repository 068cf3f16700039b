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
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const isOwn = event.request.method === "GET" && new URL(event.request.url).origin === location.origin;
  if (isOwn) event.respondWith(answer(event.request));
});
