// Deletes the offline copies of pages that record tables. The pages to sign in and out load this.

const PREFIX = "handledger keep ";

// `name`: the cache that isn't deleted.
export const forgetPages = async (name = "") => {
  if (!globalThis.caches) return;
  for (const other of await caches.keys()) {
    if (other.startsWith(PREFIX) && other !== name) await caches.delete(other);
  }
};

if (document.currentScript === null && !document.getElementById("keep-app")) forgetPages().catch(() => {});

export { PREFIX };
