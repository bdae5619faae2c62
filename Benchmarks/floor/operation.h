#ifndef FLOOR_OPERATION_H
#define FLOOR_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation { OPERATION_TYPENAME, OPERATION_CHORE, OPERATION_DASHBOARD, OPERATION_ADD_CHORE, OPERATION_COUNT };

/// A slice of the request, which is not copied.
struct text {
  const char *start;
  size_t count;
};

struct add_chore_input {
  struct text name;
  int64_t priority;
  int64_t due_at;
  bool has_due_at;
};

/// Reads the supported documents from a directory, one per file: `typename.graphql` and so on. The benchmark
/// sends the same documents.
void operations_load(const char *directory);

/// The operation of a body `{"query":"…"}` or `{"query":"…","variables":…}`. The document is compared, not parsed.
/// `variables` is the text after the document. Returns false if the document is not supported.
bool operation_recognise(const char *body, size_t count, enum operation *operation, struct text *variables);

/// The key in `,"variables":{"id":"…"}}`. Returns false if there is none.
bool operation_read_id(struct text variables, int64_t *key);

/// Parses `,"variables":{"input":{…}}}`. Strings with escapes and assignees are rejected: the benchmark sends none.
bool operation_read_add_chore(struct text variables, struct add_chore_input *input);

#endif
