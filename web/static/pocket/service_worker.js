// Stores the folder in the browser, so that the page opens without a network. `handledger pocket` fills in the list.
"use strict";

const CACHE = "handledger pocket DIGEST";
const FILES = [/* FILES */];
const PREFIX = "handledger pocket ";
const HEADERS = {
  "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

const tellPages = async (message) => {
  for (const client of await self.clients.matchAll({ includeUncontrolled: true })) client.postMessage(message);
};

// Stores a compressed script as the plain one, which browsers without this worker fetch.
const unpacked = async (response) => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b; // some servers have undone it
  const body = isPacked ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")) : bytes;
  return new Response(body, { headers: { "content-type": "text/javascript" } });
};

const keepFile = async (cache, name) => {
  const response = await fetch(name, { cache: "no-cache" });
  if (!response.ok || response.redirected) throw new Error(`${name}: ${response.status}`);
  if (name.endsWith(".mjs.gz")) await cache.put(name.slice(0, -".gz".length), await unpacked(response));
  else await cache.put(name, response);
};

const keepFolder = async () => {
  const cache = await caches.open(CACHE);
  let count = 0;
  await Promise.all(FILES.map(async (name) => {
    await keepFile(cache, name);
    count += 1;
    await tellPages({ kept: count, of: FILES.length });
  }));
};

const dropOlder = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.clients.claim();
};

// A script is given a policy of its own, as a worker takes it from its answer and not from the page.
const withPolicy = (response) => {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};

const answer = async (request) => {
  const address = new URL(request.url);
  const name = request.mode === "navigate" ? "./" : `${address.origin}${address.pathname}`;
  const kept = await (await caches.open(CACHE)).match(name);
  if (!kept) return fetch(request);
  return request.destination === "worker" ? withPolicy(kept) : kept;
};

self.addEventListener("install", (event) => event.waitUntil(keepFolder()));
self.addEventListener("activate", (event) => event.waitUntil(dropOlder()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(self.registration.scope)) event.respondWith(answer(request));
});
