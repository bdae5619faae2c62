// A request within the page's address, behind the "#", which browsers do not send: no server sees what is shared.

import { holdsSecret } from "./memory.js";

export function sharedRequest() {
  const fields = new URLSearchParams(location.hash.slice(1));
  if (!fields.has("query")) return null;
  history.replaceState(null, "", location.pathname);
  return { query: fields.get("query"), variables: fields.get("variables") ?? "", headers: "" };
}

/** The address for a request; headers are left out, and variables that spell out a secret. Null where the query does. */
export function addressOf({ query, variables }) {
  if (holdsSecret(query)) return null;
  const fields = new URLSearchParams({ query });
  if (variables.trim() !== "" && !holdsSecret(variables)) fields.set("variables", variables);
  return `${location.origin}${location.pathname}#${fields}`;
}
