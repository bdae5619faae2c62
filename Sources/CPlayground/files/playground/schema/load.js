// Fetches the schema from the server; the browser keeps it, and the server says whether it is still the same.

import { Schema } from "./schema.js";

let loading = null;

/** The schema: fetched once for all who ask. One that failed is fetched anew by the next who asks. */
export function loadSchema() {
  loading ??= fetch(`${document.documentElement.dataset.endpoint}/schema.graphql`).then(async (response) => {
    if (!response.ok) throw new Error(`The schema could not be loaded (status ${response.status}).`);
    return new Schema(await response.text());
  }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
