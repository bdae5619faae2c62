#ifndef FLOOR_SESSION_H
#define FLOOR_SESSION_H

#include <stddef.h>
#include <stdint.h>

/// Who is signed in.
struct session {
  int64_t family;
  int64_t person;
};

/// Makes the table of sessions from a file with a line `token<TAB>family's key` for each. The persons come from the
/// database. Before any loop runs: it is only read from then on.
void sessions_load(const char *file, const char *database);

/// The session of a bearer token, or null.
const struct session *session_find(const char *token, size_t count);

#endif
