#include "dashboard.h"

#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The server's statements, level by level (`log_statement = 'all'` shows them), and the whole dashboard as one statement.

static const char *const statements[][2] = {
    {"begin", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
    {"commit", "COMMIT"},
    {"session", "SELECT member_id, family_id FROM session WHERE id = $1 AND expires_at > $2"},
    {"family", "SELECT f.id, f.name FROM keys($1) AS k JOIN family AS f ON f.id = k.value WHERE f.id = $2"},
    {"children", "SELECT k.slot, c.id, c.name, c.points, c.contract_id FROM keys($1) AS k"
                 " JOIN child AS c ON c.family_id = k.value WHERE k.value = $2 AND c.removed_at IS NULL"
                 " ORDER BY k.slot, c.id"},
    {"assigned", "SELECT chore_id FROM assignment WHERE family_id = $1 AND member_id = $2 AND status = 0"
                 " ORDER BY priority_order, due_order, chore_id LIMIT $3"},
    {"contracts", "SELECT o.id, o.max_points FROM keys($1) AS k"
                  " JOIN contract AS o ON o.family_id = $2 AND o.id = k.value"},
    {"chores", "SELECT c.id, c.name, c.priority, c.due_at, c.assignees FROM keys($1) AS k"
               " JOIN chore AS c ON c.family_id = $2 AND c.id = k.value"},
    {"levels", "SELECT k.slot, r.level, r.points, r.award FROM keys($1) AS k"
               " JOIN reward_level AS r ON r.family_id = $2 AND r.contract_id = k.value ORDER BY k.slot, r.level"},
    {"child_names", "SELECT c.id, c.name FROM keys($1) AS k"
                    " JOIN child AS c ON c.family_id = $2 AND c.id = k.value"},
    {"adult_names", "SELECT p.id, p.name FROM keys($1) AS k JOIN person AS p ON p.id = k.value WHERE p.family_id = $2"},
    {"json",
     "SELECT json_build_object('id', f.id, 'name', f.name, 'children', (SELECT coalesce(json_agg(json_build_object("
     "'id', c.id, 'name', c.name, 'points', c.points, 'assignedChores', json_build_object('nodes', ("
     "SELECT coalesce(json_agg(json_build_object('id', h.id, 'name', h.name, 'priority', h.priority, 'dueAt', h.due_at,"
     " 'assignees', (SELECT coalesce(json_agg(json_build_object('id', a.member_id, 'name', coalesce(m.name, p.name))"
     " ORDER BY a.member_id), '[]') FROM assignment AS a"
     " LEFT JOIN child AS m ON m.family_id = a.family_id AND m.id = a.member_id LEFT JOIN person AS p ON p.id = a.member_id"
     " WHERE a.family_id = h.family_id AND a.chore_id = h.id))"
     " ORDER BY t.priority_order, t.due_order, t.chore_id), '[]') FROM ("
     "SELECT family_id, chore_id, priority_order, due_order FROM assignment WHERE family_id = c.family_id"
     " AND member_id = c.id AND status = 0 ORDER BY priority_order, due_order, chore_id LIMIT 50) AS t"
     " JOIN chore AS h ON h.family_id = t.family_id AND h.id = t.chore_id)),"
     " 'contract', (SELECT json_build_object('id', o.id, 'maxPoints', o.max_points, 'levels', ("
     "SELECT coalesce(json_agg(json_build_object('award', r.award, 'points', r.points) ORDER BY r.level), '[]')"
     " FROM reward_level AS r WHERE r.family_id = o.family_id AND r.contract_id = o.id))"
     " FROM contract AS o WHERE o.family_id = c.family_id AND o.id = c.contract_id)) ORDER BY c.id), '[]')"
     " FROM child AS c WHERE c.family_id = f.id AND c.removed_at IS NULL)) FROM family AS f WHERE f.id = $1"},
};

void dashboard_open(struct dashboard *dashboard, const char *url) {
  pipeline_open(&dashboard->pipeline, url);
  for (size_t index = 0; index < sizeof statements / sizeof *statements; index++)
    pipeline_prepare(&dashboard->pipeline, statements[index][0], statements[index][1]);
  PQsetnonblocking(dashboard->pipeline.connection, 1);
  if (!PQenterPipelineMode(dashboard->pipeline.connection)) fail("no pipeline mode");
}

static void write_text(struct dashboard *dashboard, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof dashboard->text - dashboard->written;
  int count = vsnprintf(dashboard->text + dashboard->written, room, format, arguments);
  va_end(arguments);
  if (count < 0 || (size_t)count >= room) fail("a response is too large");
  dashboard->written += (size_t)count;
}

static void execute(struct dashboard *dashboard, const char *name, const int64_t *keys, size_t count) {
  const struct parameter parameters[] = {{keys, count}, {&dashboard->family, 0}};
  pipeline_execute(&dashboard->pipeline, name, parameters, 2);
}

void dashboard_begin_levels(struct dashboard *dashboard, int64_t family, int64_t session) {
  dashboard->family = family;
  dashboard->session = session;
  dashboard->level = 1;
  dashboard->objects = dashboard->written = dashboard->children = dashboard->contract_count = dashboard->chore_count = 0;
  pipeline_execute(&dashboard->pipeline, "begin", NULL, 0);
  execute(dashboard, "family", &dashboard->family, 1);
  const int64_t now = 0;
  const struct parameter parameters[] = {{&dashboard->session, 0}, {&now, 0}};
  pipeline_execute(&dashboard->pipeline, "session", parameters, 2);
  pipeline_flush(&dashboard->pipeline, false);
}

void dashboard_begin_json(struct dashboard *dashboard, int64_t family) {
  dashboard->family = family;
  dashboard->level = 0;
  dashboard->objects = dashboard->written = 0;
  const struct parameter parameter = {&dashboard->family, 0};
  pipeline_execute(&dashboard->pipeline, "json", &parameter, 1);
  pipeline_flush(&dashboard->pipeline, false);
}

static void take_json(struct dashboard *dashboard, const PGresult *rows) {
  write_text(dashboard, "%s", PQgetvalue(rows, 0, 0));
}

static void take_family(struct dashboard *dashboard, const PGresult *rows) {
  if (PQntuples(rows) != 1) fail("no family %lld", (long long)dashboard->family);
  write_text(dashboard, "{\"id\":\"%lld\",\"name\":\"%s\"", (long long)integer_at(rows, 0, 0), PQgetvalue(rows, 0, 1));
  dashboard->objects++;
  execute(dashboard, "children", &dashboard->family, 1);
}

static void take_children(struct dashboard *dashboard, const PGresult *rows) {
  const int64_t limit = 51;
  for (int row = 0; row < PQntuples(rows) && dashboard->children < CHILDREN; row++) {
    int64_t child = dashboard->child_keys[dashboard->children++] = integer_at(rows, row, 1);
    int64_t contract = integer_at(rows, row, 4);
    write_text(dashboard, "{\"id\":\"%lld\",\"name\":\"%s\",\"points\":%lld", (long long)child, PQgetvalue(rows, row, 2),
               (long long)integer_at(rows, row, 3));
    dashboard->objects++;
    if (contract) dashboard->contracts[dashboard->contract_count++] = contract;
    const struct parameter parameters[] = {{&dashboard->family, 0}, {&child, 0}, {&limit, 0}};
    pipeline_execute(&dashboard->pipeline, "assigned", parameters, 3);
  }
  if (dashboard->contract_count) execute(dashboard, "contracts", dashboard->contracts, dashboard->contract_count);
}

static size_t place_of_chore(const struct dashboard *dashboard, int64_t chore) {
  size_t index = 0;
  while (index < dashboard->chore_count && dashboard->chores[index] != chore) index++;
  return index;
}

/// A chore that is assigned to several children is read once.
static void add_chore(struct dashboard *dashboard, int64_t chore) {
  size_t index = place_of_chore(dashboard, chore);
  if (index == KEYS) fail("too many chores");
  if (index == dashboard->chore_count) {
    dashboard->chores[dashboard->chore_count++] = chore;
    dashboard->occurrences[index] = 0;
  }
  dashboard->occurrences[index]++;
}

static void take_chore_keys(struct dashboard *dashboard, PGresult *const *results) {
  for (size_t child = 0; child < dashboard->children; child++)
    for (int row = 0; row < PQntuples(results[child]) && row < 50; row++)
      add_chore(dashboard, integer_at(results[child], row, 0));
  if (dashboard->contract_count) {
    const PGresult *rows = results[dashboard->children];
    for (int row = 0; row < PQntuples(rows); row++) {
      write_text(dashboard, "{\"id\":\"%lld\",\"maxPoints\":%lld", (long long)integer_at(rows, row, 0),
                 (long long)integer_at(rows, row, 1));
      dashboard->objects++;
    }
    execute(dashboard, "levels", dashboard->contracts, dashboard->contract_count);
  }
  if (dashboard->chore_count) execute(dashboard, "chores", dashboard->chores, dashboard->chore_count);
}

static void take_chores(struct dashboard *dashboard, PGresult *const *results) {
  int64_t children[CHILDREN], adults[CHILDREN];
  size_t child_count = 0, adult_count = 0;
  const PGresult *levels = dashboard->contract_count ? results[0] : NULL;
  const PGresult *rows = dashboard->chore_count ? results[levels != NULL] : NULL;
  for (int row = 0; levels && row < PQntuples(levels); row++)
    write_text(dashboard, "{\"award\":\"%s\",\"points\":%lld}", PQgetvalue(levels, row, 3),
               (long long)integer_at(levels, row, 2));
  for (int row = 0; rows && row < PQntuples(rows); row++) {
    write_text(dashboard, "{\"id\":\"%lld\",\"name\":\"%s\",\"priority\":%lld,\"dueAt\":%lld",
               (long long)integer_at(rows, row, 0), PQgetvalue(rows, row, 1), (long long)integer_at(rows, row, 2),
               (long long)integer_at(rows, row, 3));
    const char *assignees = PQgetvalue(rows, row, 4);
    size_t assignee_count = (size_t)PQgetlength(rows, row, 4) / 8;
    dashboard->objects += dashboard->occurrences[place_of_chore(dashboard, integer_at(rows, row, 0))] * (1 + assignee_count);
    for (size_t at = 0; at < assignee_count; at++) {
      uint64_t bytes;
      memcpy(&bytes, assignees + 8 * at, 8);
      int64_t key = (int64_t)le64toh(bytes);
      // The lowest bits of a key are its kind: 3 for children.
      int64_t *keys = (key & 63) == 3 ? children : adults;
      size_t *count = (key & 63) == 3 ? &child_count : &adult_count;
      size_t index = 0;
      while (index < *count && keys[index] != key) index++;
      if (index == *count && *count < CHILDREN) keys[(*count)++] = key;
    }
  }
  if (child_count) execute(dashboard, "child_names", children, child_count);
  if (adult_count) execute(dashboard, "adult_names", adults, adult_count);
}

static void take_names(struct dashboard *dashboard, PGresult *const *results, size_t count) {
  for (size_t index = 0; index < count; index++)
    for (int row = 0; row < PQntuples(results[index]); row++)
      write_text(dashboard, "{\"id\":\"%lld\",\"name\":\"%s\"}", (long long)integer_at(results[index], row, 0),
                 PQgetvalue(results[index], row, 1));
}

bool dashboard_advance(struct dashboard *dashboard) {
  struct pipeline *pipeline = &dashboard->pipeline;
  if (!pipeline_collect(pipeline)) return false;
  switch (dashboard->level++) {
  case 0: take_json(dashboard, pipeline->results[0]); break;
  case 1: take_family(dashboard, pipeline->results[1]); break;
  case 2: take_children(dashboard, pipeline->results[0]); break;
  case 3: take_chore_keys(dashboard, pipeline->results); break;
  case 4: take_chores(dashboard, pipeline->results); break;
  case 5: take_names(dashboard, pipeline->results, pipeline->count); break;
  }
  pipeline_clear(pipeline);
  if (dashboard->level == 1) return true;
  if (dashboard->level <= 5) {
    pipeline_flush(pipeline, false);
    return false;
  }
  // Nothing waits for the end of the transaction.
  pipeline_execute(pipeline, "commit", NULL, 0);
  pipeline_flush(pipeline, true);
  return true;
}
