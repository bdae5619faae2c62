#pragma once
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

/* Swift does not import variadic C functions: these wrap the calls of `sqlite3_db_config` and `sqlite3_config` in use. */

static inline int csqlite_db_config_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

static inline int csqlite_config_memory_status(int value) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, value);
}

/* SQLite can be built without the hook. Debian's, Ubuntu's and Fedora's have it. */
#pragma weak sqlite3_preupdate_hook
#pragma weak sqlite3_preupdate_old
#pragma weak sqlite3_preupdate_new

static inline int csqlite_has_preupdate_hook(void) { return sqlite3_preupdate_hook != (void *)0; }
