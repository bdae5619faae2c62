#include "CGatheredLog.h"

#include <pthread.h>
#include "sqlite3.h"
#include <stdlib.h>
#include <string.h>

/* How many bytes are gathered: 31 pages with their headers, which stay in the processor's cache. */
enum { CAPACITY = 128 * 1024 };

/* A log. The file of the underlying file system follows in memory. */
typedef struct {
  sqlite3_file base;
  unsigned char *gathered;
  int count;
  sqlite3_int64 start; /* the position of the gathered bytes in the file */
} log_file;

static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((log_file *)file + 1); }

/* Writes what is gathered. After an error it is forgotten: the transaction that it belongs to is rolled back. */
static int write_gathered(sqlite3_file *file) {
  log_file *log = (log_file *)file;
  int count = log->count;
  log->count = 0;
  return count > 0 ? inner(file)->pMethods->xWrite(inner(file), log->gathered, count, log->start) : SQLITE_OK;
}

/* ---- the methods of a log ---- */

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at) {
  log_file *log = (log_file *)file;
  if (log->count > 0 && (at != log->start + log->count || count > CAPACITY - log->count)) {
    int result = write_gathered(file);
    if (result != SQLITE_OK) return result;
  }
  if (count > CAPACITY) return inner(file)->pMethods->xWrite(inner(file), bytes, count, at);
  if (log->count == 0) log->start = at;
  memcpy(log->gathered + log->count, bytes, (size_t)count);
  log->count += count;
  return SQLITE_OK;
}

/* An error of a read rolls back the transaction. After an error such as SQLITE_FULL, SQLite would undo the statement only. */
static int log_read(sqlite3_file *file, void *into, int count, sqlite3_int64 at) {
  if (write_gathered(file) != SQLITE_OK) return SQLITE_IOERR_READ;
  return inner(file)->pMethods->xRead(inner(file), into, count, at);
}

static int log_sync(sqlite3_file *file, int flags) {
  int result = write_gathered(file);
  return result == SQLITE_OK ? inner(file)->pMethods->xSync(inner(file), flags) : result;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int result = write_gathered(file);
  return result == SQLITE_OK ? inner(file)->pMethods->xTruncate(inner(file), size) : result;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
  int result = write_gathered(file);
  return result == SQLITE_OK ? inner(file)->pMethods->xFileSize(inner(file), size) : result;
}

static int log_close(sqlite3_file *file) {
  free(((log_file *)file)->gathered);
  return inner(file)->pMethods->xClose(inner(file));
}

static int log_lock(sqlite3_file *file, int kind) { return inner(file)->pMethods->xLock(inner(file), kind); }

static int log_unlock(sqlite3_file *file, int kind) { return inner(file)->pMethods->xUnlock(inner(file), kind); }

static int log_check_lock(sqlite3_file *file, int *is_reserved) {
  return inner(file)->pMethods->xCheckReservedLock(inner(file), is_reserved);
}

static int log_control(sqlite3_file *file, int operation, void *argument) {
  return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}

static int log_sector_size(sqlite3_file *file) { return inner(file)->pMethods->xSectorSize(inner(file)); }

static int log_characteristics(sqlite3_file *file) {
  return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_check_lock,
    .xFileControl = log_control,
    .xSectorSize = log_sector_size,
    .xDeviceCharacteristics = log_characteristics,
};

/* ---- rollbacks ---- */

/* SQLite does not access the log when it rolls back. What is gathered would be written by the next access, where another
 * process may have written a commit meanwhile. */
static void forget(void *connection) {
  sqlite3_file *file = NULL;
  int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (result == SQLITE_OK && file && file->pMethods == &methods) ((log_file *)file)->count = 0;
}

void gathered_log_forget_rollbacks(sqlite3 *connection) { sqlite3_rollback_hook(connection, forget, connection); }

/* ---- the file systems ---- */

/* Never freed: connections use it as long as the process runs. */
typedef struct file_system {
  sqlite3_vfs vfs; /* a copy of `base`, except for the name and for how files are opened */
  sqlite3_vfs *base;
  struct file_system *next;
  char name[];
} file_system;

static int open_file(sqlite3_vfs *self, const char *path, sqlite3_file *file, int flags, int *opened) {
  sqlite3_vfs *base = ((file_system *)self)->base;
  if (!(flags & SQLITE_OPEN_WAL)) return base->xOpen(base, path, file, flags, opened);
  log_file *log = (log_file *)file;
  memset(log, 0, sizeof *log);
  log->gathered = malloc(CAPACITY);
  if (!log->gathered) return SQLITE_NOMEM;
  int result = base->xOpen(base, path, inner(file), flags, opened);
  if (result == SQLITE_OK) log->base.pMethods = &methods;
  else free(log->gathered);
  return result;
}

static file_system *make(sqlite3_vfs *base) {
  static const char prefix[] = "gathered-log-";
  file_system *made = calloc(1, sizeof *made + sizeof prefix + strlen(base->zName));
  if (!made) return NULL;
  strcpy(made->name, prefix);
  strcat(made->name, base->zName);
  made->base = base;
  made->vfs = *base;
  made->vfs.zName = made->name;
  made->vfs.szOsFile = (int)sizeof(log_file) + base->szOsFile;
  made->vfs.xOpen = open_file;
  if (sqlite3_vfs_register(&made->vfs, 0) == SQLITE_OK) return made;
  free(made);
  return NULL;
}

const char *gathered_log_over(const char *name) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static file_system *all; /* Guarded by `mutex`. */
  sqlite3_vfs *base = sqlite3_vfs_find(name);
  if (!base) return NULL;
  pthread_mutex_lock(&mutex);
  file_system *found = all;
  while (found && found->base != base) found = found->next;
  if (!found && (found = make(base))) {
    found->next = all;
    all = found;
  }
  pthread_mutex_unlock(&mutex);
  return found ? found->name : NULL;
}
