// Fetches the schema from the server. The browser caches it and revalidates it by its entity tag.

import { Schema } from "./schema.js";

let loading = null;

/**
 * The schema, fetched once for all callers. `isFresh` fetches it again; so does the next call after a failure. A server can limit it
 * to callers with a `token`.
 */
export function loadSchema({ isFresh = false, token = null } = {}) {
  if (isFresh) loading = null;
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  loading ??= fetch(`${document.documentElement.dataset.endpoint}/schema.graphql`, { headers }).then(async (response) => {
    if (response.status === 401) throw new Error("This server shows its schema to those who have signed in.");
    if (!response.ok) throw new Error(`The schema could not be loaded (status ${response.status}).`);
    return new Schema(await response.text());
  }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
