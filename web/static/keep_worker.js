// Opens the page that records a table without a network. It serves only the page's own copies for its user: the page
// itself and the files under /static/. An answer from the network comes first.
"use strict";

const PREFIX = "handledger keep ";
const PATIENCE = 4000; // milliseconds, then the network counts as gone

const dropAll = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
};

// The address without a key in it.
const plainAddress = (url) => {
  const address = new URL(url);
  address.searchParams.delete("key");
  address.hash = "";
  return address.href;
};

const fetchSoon = (request) => {
  const isKept = caches.match(plainAddress(request.url)).then(Boolean);
  const timeout = new Promise((_, reject) => {
    setTimeout(async () => { if (await isKept) reject(new Error("no answer")); }, PATIENCE);
  });
  return Promise.race([fetch(request), timeout]);
};

const answer = async (request) => {
  try {
    const response = await fetchSoon(request);
    if (request.mode === "navigate" && (response.status === 401 || response.status === 403)) await dropAll();
    return response;
  } catch (error) {
    const kept = await caches.match(plainAddress(request.url));
    if (kept) return kept;
    throw error;
  }
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isPage = request.mode === "navigate" && pathname === "/keep";
  if (request.method === "GET" && origin === self.location.origin && (isPage || pathname.startsWith("/static/"))) {
    event.respondWith(answer(request));
  }
});
