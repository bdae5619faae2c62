#ifndef FLOOR_OPERATION_H
#define FLOOR_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation { OPERATION_TYPENAME, OPERATION_CHORE, OPERATION_DASHBOARD, OPERATION_ADD_CHORE, OPERATION_COUNT };

/// A piece of the request. Not copied.
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

/// Reads the documents that are understood, one file each, from a directory: `typename.graphql` and so on. The benchmark
/// sends the very same.
void operations_load(const char *directory);

/// Which operation a body `{"query":"…"}` or `{"query":"…","variables":…}` asks for: the document is compared, not parsed.
/// `variables` are what follows the document. False when it is none of them.
bool operation_recognise(const char *body, size_t count, enum operation *operation, struct text *variables);

/// The key in `,"variables":{"id":"…"}}`. False when there is none.
bool operation_read_id(struct text variables, int64_t *key);

/// What `,"variables":{"input":{…}}}` has. Strings with escapes and assignees are rejected: the benchmark sends none.
bool operation_read_add_chore(struct text variables, struct add_chore_input *input);

#endif
