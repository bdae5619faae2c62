// Example queries: an application replaces this module with one that exports `query`, `title` and `about` for each example,
// and optionally `variables` and `lookup`.

export const examples = [];
