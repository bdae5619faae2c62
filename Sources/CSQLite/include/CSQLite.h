#pragma once
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include "sqlite3.h"

/* Swift does not import variadic C functions: this wraps the calls of `sqlite3_db_config` in use. */
static inline int csqlite_db_config_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}
