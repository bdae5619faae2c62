#ifndef FLOOR_KEYS_TABLE_H
#define FLOOR_KEYS_TABLE_H

#include <sqlite3.h>
#include <stdint.h>

/// `keys(?)`: an array of keys as a table with the columns `value` and `slot`, so that one statement loads many rows and
/// each can be matched to its key.
struct keys {
  const int64_t *values;
  int count;
};

void keys_table_register(sqlite3 *connection);

/// The keys must not move until the statement is reset.
void keys_bind(sqlite3_stmt *statement, int parameter, struct keys *keys);

#endif
