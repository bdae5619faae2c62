#include "session.h"

#include "failure.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8192 };

static struct slot {
  char *token;
  size_t count;
  struct session session;
} slots[SLOTS];

/// The last bytes of a token belong to its signature and are the most random ones.
static size_t slot_of(const char *token, size_t count) {
  uint64_t tail = 0;
  size_t used = count < sizeof tail ? count : sizeof tail;
  memcpy(&tail, token + count - used, used);
  return (size_t)(tail * 0x9E3779B97F4A7C15ull >> 51);
}

const struct session *session_find(const char *token, size_t count) {
  for (size_t slot = slot_of(token, count); slots[slot].token; slot = (slot + 1) % SLOTS)
    if (slots[slot].count == count && !memcmp(slots[slot].token, token, count)) return &slots[slot].session;
  return NULL;
}

static int64_t parent_of(sqlite3_stmt *parents, int64_t family) {
  sqlite3_bind_int64(parents, 1, family);
  if (sqlite3_step(parents) != SQLITE_ROW) fail("nobody in family %lld", (long long)family);
  int64_t person = sqlite3_column_int64(parents, 0);
  sqlite3_reset(parents);
  return person;
}

void sessions_load(const char *file, const char *database) {
  sqlite3 *connection;
  sqlite3_stmt *parents;
  if (sqlite3_open_v2(database, &connection, SQLITE_OPEN_READWRITE, NULL) ||
      sqlite3_prepare_v2(connection, "SELECT id FROM person WHERE family_id = ?1 ORDER BY id", -1, &parents, NULL))
    fail("%s: %s", database, sqlite3_errmsg(connection));
  FILE *lines = fopen(file, "r");
  if (!lines) fail("cannot open %s", file);
  char *line = NULL;
  size_t capacity = 0;
  for (size_t number = 1; getline(&line, &capacity, lines) > 0; number++) {
    char *tab = strchr(line, '\t');
    if (!tab || tab == line || number > SLOTS / 2) fail("%s: line %zu is no session, or one too many", file, number);
    size_t count = (size_t)(tab - line), slot = slot_of(line, count);
    while (slots[slot].token) slot = (slot + 1) % SLOTS;
    int64_t family = strtoll(tab + 1, NULL, 10);
    slots[slot] = (struct slot){strndup(line, count), count, {family, parent_of(parents, family)}};
  }
  free(line);
  fclose(lines);
  sqlite3_finalize(parents);
  sqlite3_close(connection);
}
