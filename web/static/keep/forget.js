// Deletes what a page that keeps a table kept for opening it without a network. Pages of signing in and out load this.

const PREFIX = "handledger keep ";

// `name`: of the cache that stays.
export const forgetPages = async (name = "") => {
  if (!globalThis.caches) return;
  for (const other of await caches.keys()) {
    if (other.startsWith(PREFIX) && other !== name) await caches.delete(other);
  }
};

if (document.currentScript === null && !document.getElementById("keep-app")) forgetPages().catch(() => {});

export { PREFIX };
