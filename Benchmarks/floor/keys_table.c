#include "keys_table.h"

#include "failure.h"

#include <stdlib.h>

enum { VALUE, SLOT, KEYS };

struct cursor {
  sqlite3_vtab_cursor base;
  const struct keys *keys;
  int slot;
};

static int connect(sqlite3 *connection, void *context, int count, const char *const *arguments, sqlite3_vtab **table,
                   char **error) {
  (void)context, (void)count, (void)arguments, (void)error;
  *table = calloc(1, sizeof **table);
  if (!*table) return SQLITE_NOMEM;
  return sqlite3_declare_vtab(connection, "CREATE TABLE keys(value INTEGER, slot INTEGER, keys HIDDEN)");
}

static int disconnect(sqlite3_vtab *table) {
  free(table);
  return SQLITE_OK;
}

/// Claims few rows, so that the keys are the outer loop of a join.
static int plan(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  for (int index = 0; index < info->nConstraint; index++) {
    if (info->aConstraint[index].iColumn != KEYS || !info->aConstraint[index].usable) continue;
    info->aConstraintUsage[index].argvIndex = 1;
    info->aConstraintUsage[index].omit = 1;
    info->estimatedCost = 1;
    info->estimatedRows = 8;
    return SQLITE_OK;
  }
  return SQLITE_CONSTRAINT;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
  (void)table;
  *cursor = calloc(1, sizeof(struct cursor));
  return *cursor ? SQLITE_OK : SQLITE_NOMEM;
}

static int close_cursor(sqlite3_vtab_cursor *cursor) {
  free(cursor);
  return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int index, const char *name, int count, sqlite3_value **values) {
  (void)index, (void)name, (void)count;
  static const struct keys none;
  struct cursor *cursor = (struct cursor *)base;
  const struct keys *keys = sqlite3_value_pointer(values[0], "keys");
  cursor->keys = keys ? keys : &none;
  cursor->slot = 0;
  return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base) {
  ((struct cursor *)base)->slot++;
  return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base) {
  struct cursor *cursor = (struct cursor *)base;
  return cursor->slot >= cursor->keys->count;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  struct cursor *cursor = (struct cursor *)base;
  sqlite3_result_int64(context, column == VALUE ? cursor->keys->values[cursor->slot] : cursor->slot);
  return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  *rowid = ((struct cursor *)base)->slot;
  return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = connect,
    .xDisconnect = disconnect,
    .xBestIndex = plan,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = column,
    .xRowid = rowid,
};

void keys_table_register(sqlite3 *connection) {
  if (sqlite3_create_module(connection, "keys", &module, NULL)) fail("keys: %s", sqlite3_errmsg(connection));
}

void keys_bind(sqlite3_stmt *statement, int parameter, struct keys *keys) {
  sqlite3_bind_pointer(statement, parameter, keys, "keys", NULL);
}
