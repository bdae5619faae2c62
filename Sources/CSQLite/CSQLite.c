/* SQLite, with the options that Hearth needs. `amalgamation/sqlite3.c` is SQLite's own: see `Scripts/vendor-sqlite`. */

/* Libraries that the program loads may bring another SQLite, which must not be mixed with this one. */
#define SQLITE_API __attribute__((visibility("hidden")))

/* A connection is used by one thread at a time, so its calls need no lock. */
#define SQLITE_THREADSAFE 2
/* Statistics of memory take a lock, which all threads share, for each allocation. */
#define SQLITE_DEFAULT_MEMSTATUS 0
#define SQLITE_USE_ALLOCA 1
#define SQLITE_LIKE_DOESNT_MATCH_BLOBS 1

#define SQLITE_ENABLE_FTS5 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1

/* A misspelt "column" is an error and not a string. */
#define SQLITE_DQS 0

/* Not used. */
#define SQLITE_OMIT_DEPRECATED 1
#define SQLITE_OMIT_LOAD_EXTENSION 1
#define SQLITE_OMIT_SHARED_CACHE 1

/* What Linux has: SQLite's own build finds it out. Without these, a commit waits for an fsync instead of an fdatasync, a
   page takes two calls to read or write, and SQLite waits for a lock in whole seconds. */
#define HAVE_FDATASYNC 1
#define HAVE_PREAD 1
#define HAVE_PWRITE 1
#define HAVE_USLEEP 1
#define HAVE_LOCALTIME_R 1
#define HAVE_GMTIME_R 1

#include "amalgamation/sqlite3.c"
