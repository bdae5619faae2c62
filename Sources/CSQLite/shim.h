#pragma once
#include <sqlite3.h>

/* Swift does not import variadic C functions: these wrap the calls of `sqlite3_db_config` and `sqlite3_config` in use. */

static inline int csqlite_db_config_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

static inline int csqlite_config_memory_status(int value) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, value);
}
