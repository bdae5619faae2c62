#include "StorageFaults.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include "sqlite3.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR 512

/* What the disk has of a file, shared by all connections to it. */
typedef struct disk {
  struct disk *next;
  char *path;
  unsigned char *durable;
  int64_t durable_size;
  unsigned char *dirty; /* by sector: written since the last sync */
  int64_t dirty_count;
  int64_t size; /* of the real file, with what is not synced */
} disk;

typedef struct {
  sqlite3_file base;
  disk *disk; /* NULL: a file that needs no durability */
  int is_database; /* and not a log */
  sqlite3_file *real;
} faulty_file;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs vfs;
static sqlite3_vfs *base_vfs;
static disk *disks;
static uint64_t state;
static int power_failed;
static int64_t growth_left = -1;
static int64_t lie_from = -1;
static int64_t injected;
static int has_lied;
static struct {
  int64_t count, after, failures;
  int result;
} operations[FAULT_OPERATIONS];

static uint64_t random_number(void) {
  state += 0x9E3779B97F4A7C15u;
  uint64_t mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

/* The result with which this operation fails, or SQLITE_OK. Under the lock. */
static int fault(int operation) {
  if (power_failed) return SQLITE_IOERR;
  int64_t number = operations[operation].count++;
  int64_t after = operations[operation].after;
  if (operations[operation].failures == 0 || number < after || number >= after + operations[operation].failures)
    return SQLITE_OK;
  injected++;
  return operations[operation].result;
}

static void mark_dirty(disk *file, int64_t from, int64_t to) {
  int64_t sectors = (to + SECTOR - 1) / SECTOR;
  if (sectors > file->dirty_count) {
    file->dirty = realloc(file->dirty, (size_t)sectors);
    memset(file->dirty + file->dirty_count, 0, (size_t)(sectors - file->dirty_count));
    file->dirty_count = sectors;
  }
  for (int64_t sector = from / SECTOR; sector < sectors; sector++) file->dirty[sector] = 1;
}

/* Copies one sector of the real file, as far as it goes, into what the disk has. */
static void make_durable(disk *file, int descriptor, int64_t sector) {
  unsigned char bytes[SECTOR];
  ssize_t count = pread(descriptor, bytes, SECTOR, sector * SECTOR);
  if (count <= 0) return;
  int64_t end = sector * SECTOR + count;
  if (end > file->durable_size) {
    file->durable = realloc(file->durable, (size_t)end);
    memset(file->durable + file->durable_size, 0, (size_t)(end - file->durable_size));
    file->durable_size = end;
  }
  memcpy(file->durable + sector * SECTOR, bytes, (size_t)count);
}

static void forget_dirty(disk *file) {
  if (file->dirty) memset(file->dirty, 0, (size_t)file->dirty_count);
}

static void synchronize(disk *file) {
  int descriptor = open(file->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  for (int64_t sector = 0; sector < file->dirty_count; sector++)
    if (file->dirty[sector]) make_durable(file, descriptor, sector);
  if (file->durable_size > file->size) file->durable_size = file->size;
  close(descriptor);
  forget_dirty(file);
}

static disk *disk_of(const char *path) {
  for (disk *file = disks; file; file = file->next)
    if (strcmp(file->path, path) == 0) return file;
  disk *file = calloc(1, sizeof *file);
  file->path = strdup(path);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) {
    file->size = lseek(descriptor, 0, SEEK_END);
    for (int64_t at = 0; at < file->size; at += SECTOR) make_durable(file, descriptor, at / SECTOR);
    close(descriptor);
  }
  file->next = disks;
  disks = file;
  return file;
}

/* ---- the methods of a file ---- */

static sqlite3_file *real(sqlite3_file *file) { return ((faulty_file *)file)->real; }

static int file_close(sqlite3_file *file) {
  int result = real(file)->pMethods ? real(file)->pMethods->xClose(real(file)) : SQLITE_OK;
  sqlite3_free(((faulty_file *)file)->real);
  return result;
}

static int file_read(sqlite3_file *file, void *into, int count, sqlite3_int64 at) {
  pthread_mutex_lock(&lock);
  int result = fault(FAULT_READ);
  pthread_mutex_unlock(&lock);
  return result ? result : real(file)->pMethods->xRead(real(file), into, count, at);
}

static int file_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 at) {
  disk *disk = ((faulty_file *)file)->disk;
  pthread_mutex_lock(&lock);
  int failure = fault(FAULT_WRITE);
  if (!failure && ((faulty_file *)file)->is_database) failure = fault(FAULT_DATABASE_WRITE);
  int written = failure ? (int)(random_number() % (uint64_t)(count + 1)) : count;
  if (power_failed) written = 0;
  if (!failure && disk && growth_left >= 0 && at + count > disk->size) {
    int64_t growth = at + count - disk->size;
    if (growth > growth_left) {
      failure = SQLITE_FULL;
      injected++;
      written = count - (int)(growth - growth_left);
      if (written < 0) written = 0;
      growth_left = 0;
    } else {
      growth_left -= growth;
    }
  }
  int result = written > 0 ? real(file)->pMethods->xWrite(real(file), from, written, at) : SQLITE_OK;
  if (result == SQLITE_OK && disk && written > 0) {
    if (at + written > disk->size) disk->size = at + written;
    mark_dirty(disk, at, at + written);
  }
  pthread_mutex_unlock(&lock);
  return failure ? failure : result;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  disk *disk = ((faulty_file *)file)->disk;
  pthread_mutex_lock(&lock);
  int result = fault(FAULT_TRUNCATE);
  if (result == SQLITE_OK) {
    result = real(file)->pMethods->xTruncate(real(file), size);
    if (result == SQLITE_OK && disk) disk->size = size;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

static int file_sync(sqlite3_file *file, int flags) {
  disk *disk = ((faulty_file *)file)->disk;
  pthread_mutex_lock(&lock);
  int64_t number = operations[FAULT_SYNC].count;
  int result = fault(FAULT_SYNC);
  if (disk && !power_failed) {
    if (result != SQLITE_OK) {
      forget_dirty(disk);
    } else if (lie_from >= 0 && number >= lie_from) {
      injected++;
      has_lied = 1;
    } else {
      synchronize(disk);
    }
  }
  pthread_mutex_unlock(&lock);
  (void)flags; /* Nothing here waits for the real disk. */
  return result;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
static int file_lock(sqlite3_file *file, int kind) { return real(file)->pMethods->xLock(real(file), kind); }
static int file_unlock(sqlite3_file *file, int kind) { return real(file)->pMethods->xUnlock(real(file), kind); }
static int file_check_lock(sqlite3_file *file, int *out) {
  return real(file)->pMethods->xCheckReservedLock(real(file), out);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int file_sector_size(sqlite3_file *file) { return SECTOR; (void)file; }
/* A power failure may spoil nothing beside what was being written, and a smaller file may be left by it. */
static int file_characteristics(sqlite3_file *file) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; (void)file; }
static int file_map(sqlite3_file *file, int region, int size, int extend, void volatile **at) {
  return real(file)->pMethods->xShmMap(real(file), region, size, extend, at);
}
static int file_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void file_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int file_unmap(sqlite3_file *file, int remove) { return real(file)->pMethods->xShmUnmap(real(file), remove); }

static const sqlite3_io_methods methods = {
    2,         file_close,      file_read,  file_write,  file_truncate,    file_sync,        file_size,
    file_lock, file_unlock,     file_check_lock, file_control, file_sector_size, file_characteristics,
    file_map,  file_shared_lock, file_barrier, file_unmap, 0, 0};

/* ---- the methods of the file system ---- */

static int vfs_open(sqlite3_vfs *self, const char *path, sqlite3_file *file, int flags, int *out) {
  (void)self;
  faulty_file *opened = (faulty_file *)file;
  memset(opened, 0, sizeof *opened);
  pthread_mutex_lock(&lock);
  int dead = power_failed;
  pthread_mutex_unlock(&lock);
  if (dead) return SQLITE_CANTOPEN;
  opened->real = sqlite3_malloc(base_vfs->szOsFile);
  if (!opened->real) return SQLITE_NOMEM;
  memset(opened->real, 0, (size_t)base_vfs->szOsFile);
  int result = base_vfs->xOpen(base_vfs, path, opened->real, flags, out);
  if (result != SQLITE_OK) {
    sqlite3_free(opened->real);
    return result;
  }
  opened->is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  if (path && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) {
    pthread_mutex_lock(&lock);
    opened->disk = disk_of(path);
    pthread_mutex_unlock(&lock);
  }
  opened->base.pMethods = &methods;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *self, const char *path, int synchronizes) {
  (void)self;
  pthread_mutex_lock(&lock);
  int dead = power_failed;
  if (!dead) {
    for (disk **place = &disks; *place; place = &(*place)->next) {
      if (strcmp((*place)->path, path) != 0) continue;
      (*place)->size = (*place)->durable_size = 0;
      forget_dirty(*place);
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  return dead ? SQLITE_IOERR_DELETE : base_vfs->xDelete(base_vfs, path, synchronizes);
}

int faults_register(void) {
  pthread_mutex_lock(&lock);
  int result = SQLITE_OK;
  if (!base_vfs) {
    sqlite3_initialize();
    base_vfs = sqlite3_vfs_find(0);
    vfs = *base_vfs;
    vfs.zName = "faults";
    vfs.szOsFile = sizeof(faulty_file);
    vfs.xOpen = vfs_open;
    vfs.xDelete = vfs_delete;
    vfs.pNext = 0;
    result = sqlite3_vfs_register(&vfs, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

void faults_clear(void) {
  pthread_mutex_lock(&lock);
  for (int operation = 0; operation < FAULT_OPERATIONS; operation++) operations[operation].failures = 0;
  growth_left = -1;
  lie_from = -1;
  pthread_mutex_unlock(&lock);
}

void faults_reset(uint64_t seed) {
  faults_clear();
  pthread_mutex_lock(&lock);
  while (disks) {
    disk *file = disks;
    disks = file->next;
    free(file->path);
    free(file->durable);
    free(file->dirty);
    free(file);
  }
  memset(operations, 0, sizeof operations);
  injected = 0;
  power_failed = 0;
  has_lied = 0;
  state = seed;
  pthread_mutex_unlock(&lock);
}

void faults_fail(int operation, int64_t after, int64_t count, int result) {
  pthread_mutex_lock(&lock);
  operations[operation].after = operations[operation].count + after;
  operations[operation].failures = count;
  operations[operation].result = result;
  pthread_mutex_unlock(&lock);
}

void faults_limit_growth(int64_t bytes) {
  pthread_mutex_lock(&lock);
  growth_left = bytes;
  pthread_mutex_unlock(&lock);
}

void faults_lie_from_sync(int64_t after) {
  pthread_mutex_lock(&lock);
  lie_from = after < 0 ? -1 : operations[FAULT_SYNC].count + after;
  pthread_mutex_unlock(&lock);
}

void faults_fail_power(void) {
  pthread_mutex_lock(&lock);
  power_failed = 1;
  for (disk *file = disks; file; file = file->next) {
    int descriptor = open(file->path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) continue; /* It was deleted. */
    for (int64_t sector = 0; sector < file->dirty_count; sector++)
      if (file->dirty[sector] && !has_lied && random_number() & 1) make_durable(file, descriptor, sector);
    if (file->durable_size > file->size && random_number() & 1) file->durable_size = file->size;
    int64_t written = 0;
    if (ftruncate(descriptor, file->durable_size) == 0) {
      while (written < file->durable_size) {
        ssize_t count = pwrite(descriptor, file->durable + written, (size_t)(file->durable_size - written), written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) abort();
        written += count;
      }
    }
    close(descriptor);
  }
  pthread_mutex_unlock(&lock);
}

int64_t faults_count(int operation) {
  pthread_mutex_lock(&lock);
  int64_t count = operations[operation].count;
  pthread_mutex_unlock(&lock);
  return count;
}

int64_t faults_injected(void) {
  pthread_mutex_lock(&lock);
  int64_t count = injected;
  pthread_mutex_unlock(&lock);
  return count;
}
