// A shared request is in the fragment of the page's URL, after "#", which browsers do not send to the server.

import { holdsSecret } from "./memory.js";

export function sharedRequest() {
  const fields = new URLSearchParams(location.hash.slice(1));
  if (!fields.has("query")) return null;
  history.replaceState(null, "", location.pathname);
  return { query: fields.get("query"), variables: fields.get("variables") ?? "", headers: "" };
}

/** The URL of a request, without headers and without variables that contain a secret. Null if the query contains one. */
export function addressOf({ query, variables }) {
  if (holdsSecret(query)) return null;
  const fields = new URLSearchParams({ query });
  if (variables.trim() !== "" && !holdsSecret(variables)) fields.set("variables", variables);
  return `${location.origin}${location.pathname}#${fields}`;
}
