// Fetches the schema from the server. The browser caches it and revalidates it by its entity tag.

import { Schema } from "./schema.js";

let loading = null;

/** The schema, fetched once for all callers. `isFresh` fetches it again; so does the next call after a failure. */
export function loadSchema({ isFresh = false } = {}) {
  if (isFresh) loading = null;
  loading ??= fetch(`${document.documentElement.dataset.endpoint}/schema.graphql`).then(async (response) => {
    if (!response.ok) throw new Error(`The schema could not be loaded (status ${response.status}).`);
    return new Schema(await response.text());
  }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
