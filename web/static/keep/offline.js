// Stores the page and the table's last document in the browser, for its user alone, so that the page can be opened again
// without a network. Browsers allow it on HTTPS and on this machine.

import { PREFIX, forgetPages } from "./forget.js";

const WORKER = "/static/keep_worker.js";

export const canReopen = () => Boolean(globalThis.isSecureContext && navigator.serviceWorker && globalThis.caches);

const cacheName = () => `${PREFIX}${document.body.dataset.user || document.body.className.trim()}`;

const pageAddress = () => {
  const address = new URL(location.href);
  address.searchParams.delete("key");
  address.hash = "";
  return address.href;
};

const documentAddress = () => pageAddress().replace("/keep?", "/keep.json?");

// The table's last document stored for this user; null if there is none.
export const loadDocument = async () => {
  if (!canReopen()) return null;
  try {
    await forgetPages(cacheName());
    const kept = await (await caches.open(cacheName())).match(documentAddress());
    const page = kept ? await kept.json() : null;
    return page?.schema === "handledger/page-keep/1" ? page : null;
  } catch {
    return null;
  }
};

export const saveDocument = async (page) => {
  if (!canReopen()) return;
  const body = new Response(JSON.stringify(page), { headers: { "content-type": "application/json" } });
  await (await caches.open(cacheName())).put(documentAddress(), body);
};

const savePage = async () => {
  const cache = await caches.open(cacheName());
  const answer = await fetch(pageAddress(), { headers: { accept: "text/html" } });
  if (answer.ok && !answer.redirected) await cache.put(pageAddress(), answer);
  const files = performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => new URL(name).pathname.startsWith("/static/"));
  await cache.addAll([...new Set(files)]);
};

// Stores this page for opening it without a network. Resolves to whether that is possible.
export const registerWorker = async () => {
  if (!canReopen()) return false;
  try {
    await navigator.serviceWorker.register(WORKER, { scope: "/keep" });
    await savePage();
    return true;
  } catch { // there is no network now, and it may have been kept before
    return Boolean(navigator.serviceWorker.controller && await caches.match(pageAddress()));
  }
};
