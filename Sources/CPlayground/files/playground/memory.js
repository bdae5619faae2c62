// The state that the page stores between visits. It never contains a password or a token.

const prefix = `${document.documentElement.dataset.application}.`;
const literalSecret = /\w*(?:password|token|authorization|cookie|secret|api[-_]?key)\w*"?\s*:\s*"[^"]/i;

/** Whether a text contains a password or a token. */
export const holdsSecret = (text) => literalSecret.test(text);

/** State shared by all windows, or of this window only, which survives a reload. */
const storage = (isOfThisWindow) => (isOfThisWindow ? sessionStorage : localStorage);

export function recall(name, { isOfThisWindow = false } = {}) {
  try { return JSON.parse(storage(isOfThisWindow).getItem(prefix + name)); } catch { return null; }
}

/** Stored requests, each with a `query`. Other values are ignored. */
export const requestsIn = (kept) => (Array.isArray(kept) ? kept.filter((one) => typeof one?.query === "string") : [])
  .map((one) => ({ ...one, variables: String(one.variables ?? ""), headers: String(one.headers ?? "") }));

/** Calls `act` when another window has changed the value of a name. */
export function whenRemembered(name, act) {
  addEventListener("storage", ({ key }) => { if (key === prefix + name) act(); });
}

export function remember(name, value, { isOfThisWindow = false } = {}) {
  try {
    storage(isOfThisWindow).setItem(prefix + name, JSON.stringify(value));
  } catch { /* switched off or full: the page works without */ }
}
