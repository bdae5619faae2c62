// What the page remembers between visits: the query and its variables. Never a password or a token.

const prefix = "hearth.";
const literalSecret = /\w*(?:password|token)\w*"?\s*:\s*"[^"]/i;

export function recall(name) {
  try { return localStorage.getItem(prefix + name); } catch { return null; }
}

/** Remembers the text, unless it spells out a password or a token: then the last one is forgotten instead. */
export function remember(name, text) {
  try {
    if (literalSecret.test(text)) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, text);
  } catch { /* storage is switched off or full: the page works without */ }
}
