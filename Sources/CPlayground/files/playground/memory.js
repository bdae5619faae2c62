// What the page keeps between visits. Never a password or a token.

const prefix = `${document.documentElement.dataset.application}.`;
const literalSecret = /\w*(?:password|token|authorization|cookie|secret|api[-_]?key)\w*"?\s*:\s*"[^"]/i;

/** Whether a text spells out a password or a token. */
export const holdsSecret = (text) => literalSecret.test(text);

/** What all windows keep, or what this one does: a reload finds it again, another window does not. */
const storage = (isOfThisWindow) => (isOfThisWindow ? sessionStorage : localStorage);

export function recall(name, { isOfThisWindow = false } = {}) {
  try { return JSON.parse(storage(isOfThisWindow).getItem(prefix + name)); } catch { return null; }
}

/** Requests that are kept, each with a `query`: what is anything else was written by nobody here, and is passed over. */
export const requestsIn = (kept) => (Array.isArray(kept) ? kept.filter((one) => typeof one?.query === "string") : [])
  .map((one) => ({ ...one, variables: String(one.variables ?? ""), headers: String(one.headers ?? "") }));

/** Calls `act` when another window has remembered something else by that name. */
export function whenRemembered(name, act) {
  addEventListener("storage", ({ key }) => { if (key === prefix + name) act(); });
}

export function remember(name, value, { isOfThisWindow = false } = {}) {
  try {
    storage(isOfThisWindow).setItem(prefix + name, JSON.stringify(value));
  } catch { /* switched off or full: the page works without */ }
}
