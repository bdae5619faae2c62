// What the page keeps between visits. Never a password or a token.

const prefix = "hearth.";
const literalSecret = /\w*(?:password|token|authorization|cookie|secret|api[-_]?key)\w*"?\s*:\s*"[^"]/i;

/** Whether a text spells out a password or a token. */
export const holdsSecret = (text) => literalSecret.test(text);

export function recall(name) {
  try { return JSON.parse(localStorage.getItem(prefix + name)); } catch { return null; }
}

export function remember(name, value) {
  try { localStorage.setItem(prefix + name, JSON.stringify(value)); } catch { /* switched off or full: the page works without */ }
}
