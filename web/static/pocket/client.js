// Asks the worker, which answers in the order of the requests; and waits until the browser keeps the folder.

const SCOPE = new URL("../", import.meta.url);

const canKeep = () => Boolean(globalThis.isSecureContext && navigator.serviceWorker && globalThis.caches);

// Resolves once the browser keeps the folder, to whether it does. `onProgress(share)`: how much of it is there, from 0 to 1.
export const keepFolder = async (onProgress) => {
  if (!canKeep()) return false;
  const workers = navigator.serviceWorker;
  const hear = ({ data }) => { if (data?.of) onProgress(data.kept / data.of); };
  workers.addEventListener("message", hear);
  workers.startMessages();
  try {
    const registration = await workers.register(new URL("service_worker.js", SCOPE), { scope: SCOPE.pathname });
    if (registration.active) return true;
    await new Promise((resolve, reject) => {
      workers.ready.then(resolve);
      const worker = registration.installing ?? registration.waiting;
      worker?.addEventListener("statechange", () => { if (worker.state === "redundant") reject(new Error("the folder isn't complete")); });
    });
    return true;
  } catch {
    return false;
  } finally {
    workers.removeEventListener("message", hear);
  }
};

// Resolves once the service worker answers for this page: the worker's script then comes with its policy.
const isControlled = () => new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve();
  else {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    setTimeout(resolve, 2000); // a page that was reloaded past its cache is never controlled
  }
});

export class EngineClient {
  #worker = null;
  #pending = new Map();
  #count = 0;

  async start(isKept) {
    if (isKept) await isControlled();
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data: { id, answer, failure } }) => {
      const { resolve, reject } = this.#pending.get(id);
      this.#pending.delete(id);
      if (failure === undefined) resolve(answer);
      else reject(new Error(failure));
    });
    this.#worker.addEventListener("error", (event) => {
      const error = new Error(event.message || "worker");
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
    });
  }

  ask(request) {
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request });
    });
  }
}
