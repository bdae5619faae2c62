// Queries to start from: an application puts a module of its own in this one's place, with `query`, `title` and `about`
// of each, and perhaps `variables` and `lookup`.

export const examples = [];
