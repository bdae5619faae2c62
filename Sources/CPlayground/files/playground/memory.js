// The state that the page stores between visits. It never contains a password or a token.

import { tokensIn } from "./language/lexer.js";

const prefix = `${document.documentElement.dataset.application}.`;
const secretName = "(?:password|token|authorization|cookie|secret|api[-_]?key)";
const secretWord = new RegExp(secretName, "i");
/** A literal, also a block string, a default value or one in a list, where the rest of the text is not valid. */
const literalSecret = new RegExp(`${secretName}\\w*"?\\s*:(?:[\\s\\w[\\]!]*=)?[\\s[]*"(?:"")?[^"]`, "i");
/** A literal that a script assigns. `"Bearer " + environment.token` does not match: its literal has only a word. */
const assignedSecret = new RegExp(`${secretName}[\\w-]*["'\`]?\\]?\\s*[:=]\\s*(["'\`])(?:\\w+ )?[^\\s"'\`{]{6,}\\1`, "i");
/** A JSON Web Token, whatever its name. */
const webToken = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]/;

/** Whether a text contains a password or a token. {{name}} only refers to one. */
export const holdsSecret = (text) => holdsLiteral(text.replaceAll(/"\{\{\s*[\w.-]+\s*\}\}"/g, '""'));
const holdsLiteral = (text) => literalSecret.test(text) || assignedSecret.test(text) || webToken.test(text) || holdsArgument(text);

/** Whether an argument, a field of an input object or a default value of a GraphQL document is a secret, wherever comments are. */
function holdsArgument(document) {
  const tokens = tokensIn(document).filter(({ kind }) => kind !== "comment");
  let owner = ""; // the name that a text here is the value of
  let declared = ""; // the variable whose default value can follow
  return tokens.some(({ kind, text }, place) => {
    const isBeforeColon = tokens[place + 1]?.text === ":";
    if (kind === "variable" && isBeforeColon) [owner, declared] = ["", text];
    else if (kind === "name" && isBeforeColon) owner = text;
    else if (text === "=") owner = declared;
    else if ("(){}".includes(text) || kind === "unknown") owner = declared = "";
    else if (kind === "name" && tokens[place - 1]?.text === ":") owner = ""; // a type, or the field of an alias
    return (kind === "string" || kind === "block") && secretWord.test(owner) && /[^"]/.test(text);
  });
}

/** A header that only refers to values of an environment: `Bearer {{token}}`. */
const reference = /^(?:\w+\s+)?\{\{\s*[\w.-]+\s*\}\}$/;

/** The text of headers without those that contain a secret. */
export function safeHeaders(text) {
  if (!holdsSecret(text)) return text;
  let all;
  try { all = Object.entries(JSON.parse(text)); } catch { return ""; }
  const safe = all.filter(([name, value]) => reference.test(value) || !holdsSecret(JSON.stringify({ [name]: value })));
  return safe.length === 0 ? "" : JSON.stringify(Object.fromEntries(safe), null, 2);
}

/** State shared by all windows, or of this window only, which survives a reload. */
const storage = (isOfThisWindow) => (isOfThisWindow ? sessionStorage : localStorage);

export function recall(name, { isOfThisWindow = false } = {}) {
  try { return JSON.parse(storage(isOfThisWindow).getItem(prefix + name)); } catch { return null; }
}

/** Stored requests, each with a `query`. Other values are ignored. Scripts are imported ones unless it is said that they are not. */
export const requestsIn = (kept) => (Array.isArray(kept) ? kept.filter((one) => typeof one?.query === "string") : []).map((one) => {
  const [variables, headers, before, after] = ["variables", "headers", "before", "after"].map((name) => String(one[name] ?? ""));
  return { ...one, variables, headers, before, after, isImported: hasScripts({ before, after }) && one.isImported !== false };
});

/** Whether a request has a script that does anything. */
export const hasScripts = ({ before = "", after = "" }) => `${before}${after}`.trim() !== "";

/** Calls `act` when another window has changed the value of a name. */
export function whenRemembered(name, act) {
  addEventListener("storage", ({ key }) => { if (key === prefix + name) act(); });
}

export function remember(name, value, { isOfThisWindow = false } = {}) {
  try {
    storage(isOfThisWindow).setItem(prefix + name, JSON.stringify(value));
  } catch { /* switched off or full: the page works without */ }
}
