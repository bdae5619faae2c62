#include "writer.h"

#include "database.h"
#include "failure.h"
#include "identifier.h"
#include "instant.h"

#include <pthread.h>
#include <stdatomic.h>

/// The largest group that shares a transaction, and the pages in the log that trigger a checkpoint: 64 MiB. With 1,000 pages writes are
/// some 10 % slower, because the same pages are copied repeatedly.
enum { GROUP = 256, CHECKPOINT_PAGES = 16000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct write *first, **end = &first; // Guarded by `mutex`.

static sqlite3_stmt *begin, *commit, *rollback, *savepoint, *release, *undo, *read_next, *write_next, *insert, *tell;
static int pages_in_log;

void writer_append(struct write *write) {
  write->next = NULL;
  pthread_mutex_lock(&mutex);
  bool was_empty = !first;
  *end = write;
  end = &write->next;
  pthread_mutex_unlock(&mutex);
  if (was_empty) pthread_cond_signal(&changed);
}

/// Waits for writes and takes all that are queued.
static size_t take_group(struct write *group[static GROUP]) {
  size_t count = 0;
  pthread_mutex_lock(&mutex);
  while (!first) pthread_cond_wait(&changed, &mutex);
  for (; first && count < GROUP; first = first->next) group[count++] = first;
  if (!first) end = &first;
  pthread_mutex_unlock(&mutex);
  return count;
}

/// Adds a chore and stores its event for offline clients, as the server does. Returns false if SQLite fails.
static bool add_chore(const struct write *write, int64_t key, int64_t position, int64_t now) {
  const struct add_chore_input *input = &write->input;
  sqlite3_bind_int64(insert, 1, write->session.family);
  sqlite3_bind_int64(insert, 2, key);
  sqlite3_bind_text(insert, 3, input->name.start, (int)input->name.count, SQLITE_STATIC);
  sqlite3_bind_int64(insert, 4, input->priority);
  if (input->has_due_at)
    sqlite3_bind_int64(insert, 5, input->due_at);
  else
    sqlite3_bind_null(insert, 5);
  sqlite3_bind_int64(insert, 6, write->session.person);
  sqlite3_bind_int64(insert, 7, now);
  if (!database_run(insert)) return false;
  sqlite3_bind_int64(tell, 1, write->session.family);
  sqlite3_bind_int64(tell, 2, position);
  sqlite3_bind_int64(tell, 3, key);
  sqlite3_bind_int64(tell, 4, now);
  return database_run(tell);
}

/// Runs the group in one transaction, each write in a savepoint. The number for the next key is read and
/// written once for the group: it is not visible in between.
static bool run_group(struct write *const *group, size_t count) {
  if (!database_run(begin)) return false;
  bool read = sqlite3_step(read_next) == SQLITE_ROW;
  int64_t next = sqlite3_column_int64(read_next, 0), now = instant_now();
  sqlite3_reset(read_next);
  for (size_t index = 0; read && index < count; index++) {
    if (count > 1) database_run(savepoint);
    int64_t key = next << 6 | KIND_CHORE;
    bool added = add_chore(group[index], key, next + 1, now);
    group[index]->chore = added ? key : 0;
    if (added) next += 2;
    if (!added && count > 1) database_run(undo);
    if (count > 1) database_run(release);
  }
  sqlite3_bind_int64(write_next, 1, next);
  if (read && database_run(write_next) && database_run(commit)) return true;
  database_run(rollback);
  return false;
}

/// Returns the writes of the group to their loops.
static void return_group(struct write *const *group, size_t count) {
  for (size_t index = 0; index < count; index++) {
    struct write *write = group[index];
    struct write_returns *returns = write->returns;
    struct write *last = atomic_load_explicit(&returns->last, memory_order_relaxed);
    // Once it is in the list, it belongs to the loop: it must not be read any more.
    do write->next = last;
    while (!atomic_compare_exchange_weak_explicit(&returns->last, &last, write, memory_order_release,
                                                  memory_order_relaxed));
    // A loop with items in its list has already been woken.
    if (!last) uv_async_send(&returns->wake);
  }
}

static int count_pages(void *context, sqlite3 *connection, const char *name, int pages) {
  (void)context, (void)connection, (void)name;
  pages_in_log = pages;
  return SQLITE_OK;
}

static _Noreturn void *run(void *context) {
  sqlite3 *connection = context;
  struct write *group[GROUP];
  int due_at = CHECKPOINT_PAGES;
  for (;;) {
    size_t count = take_group(group);
    if (!run_group(group, count))
      for (size_t index = 0; index < count; index++) group[index]->chore = 0;
    return_group(group, count);
    // After the responses, so that no client waits for it. If a reader's snapshot stopped it, it is not retried immediately.
    if (pages_in_log < due_at - CHECKPOINT_PAGES) due_at = CHECKPOINT_PAGES;
    if (pages_in_log >= due_at) {
      sqlite3_wal_checkpoint_v2(connection, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
      due_at = pages_in_log + CHECKPOINT_PAGES;
    }
  }
}

void writer_start(const char *path) {
  sqlite3 *connection = database_open(path, true);
  begin = database_prepare(connection, "BEGIN IMMEDIATE");
  commit = database_prepare(connection, "COMMIT");
  rollback = database_prepare(connection, "ROLLBACK");
  savepoint = database_prepare(connection, "SAVEPOINT one");
  release = database_prepare(connection, "RELEASE one");
  undo = database_prepare(connection, "ROLLBACK TO one");
  read_next = database_prepare(connection, "SELECT next FROM sequence");
  write_next = database_prepare(connection, "UPDATE sequence SET next = ?1");
  insert = database_prepare(
      connection, "INSERT INTO chore (family_id, id, name, priority, due_at, frequency, status, created_by, created_at,"
                  " updated_at, assignees, name_key) VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, ?6, ?7, ?7, x'', lower(?3))");
  tell = database_prepare(connection, "INSERT INTO family_event (family_id, position, kind, subject_id, details,"
                                      " recorded_at) VALUES (?1, ?2, 2, ?3, x'', ?4)");
  sqlite3_wal_hook(connection, count_pages, NULL);
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, connection)) fail("cannot start the writer's thread");
}
