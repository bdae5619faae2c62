#include "database.h"

#include "failure.h"
#include "keys_table.h"

#include <string.h>

sqlite3 *database_open(const char *path, bool writes) {
  sqlite3 *connection;
  if (sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
    fail("%s: %s", path, sqlite3_errmsg(connection));
  sqlite3_busy_timeout(connection, 5000);
  // Memory-mapped reads are 3 % faster here than reads into the page cache, whose size then hardly matters.
  const char *settings = writes ? "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                                  "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA mmap_size = 268435456"
                                : "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;"
                                  "PRAGMA mmap_size = 268435456";
  if (sqlite3_exec(connection, settings, NULL, NULL, NULL)) fail("%s: %s", path, sqlite3_errmsg(connection));
  keys_table_register(connection);
  return connection;
}

sqlite3_stmt *database_prepare(sqlite3 *connection, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(connection, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL))
    fail("%s: %s", sql, sqlite3_errmsg(connection));
  return statement;
}

bool database_run(sqlite3_stmt *statement) {
  int result = sqlite3_step(statement);
  sqlite3_reset(statement);
  return result == SQLITE_DONE;
}

void database_read_identifier_key(const char *path, unsigned char key[16]) {
  sqlite3 *connection = database_open(path, false);
  sqlite3_stmt *statement = database_prepare(connection, "SELECT value FROM setting WHERE name = 'id-key'");
  if (sqlite3_step(statement) != SQLITE_ROW || sqlite3_column_bytes(statement, 0) != 16) fail("%s has no id-key", path);
  memcpy(key, sqlite3_column_blob(statement, 0), 16);
  sqlite3_finalize(statement);
  sqlite3_close(connection);
}
