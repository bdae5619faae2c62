#include "dashboard.h"
#include "database.h"
#include "instant.h"
#include "json.h"
#include "keys_table.h"

// Measured for the families of the benchmark, in one transaction: 23 µs. Loading the assignees by chore instead of from
// the members' lists costs 6 µs more, chores one by one 1 µs more, contracts and levels in one join with the children 1 µs
// more. Ranges of keys instead of `keys` would save 5 µs, but read what a family has done in years.

static void load_adults(struct dashboard *dashboard, int64_t family);
static void load_children(struct dashboard *dashboard, int64_t family);
static void encode_identifiers(struct dashboard *dashboard, int64_t family);
static void load_open_chores(struct dashboard *dashboard, int64_t family);
static void load_assignees(struct dashboard *dashboard, int64_t family);
static void load_names_of_adults(struct dashboard *dashboard);
static void load_chores(struct dashboard *dashboard, int64_t family);
static void load_levels(struct dashboard *dashboard, int64_t family);

void dashboard_prepare(struct dashboard *dashboard, sqlite3 *connection) {
  dashboard->family = database_prepare(connection, "SELECT name FROM family WHERE id = ?1");
  dashboard->children = database_prepare(
      connection, "SELECT c.id, c.name, c.points, k.id, k.max_points FROM child AS c"
                  " LEFT JOIN contract AS k ON k.family_id = c.family_id AND k.child_id = c.id AND k.id = c.contract_id"
                  " WHERE c.family_id = ?1 ORDER BY c.id");
  dashboard->adults = database_prepare(connection, "SELECT id FROM person WHERE family_id = ?1 ORDER BY id");
  dashboard->adult_name = database_prepare(connection, "SELECT name FROM person WHERE id = ?1");
  dashboard->open_chores = database_prepare(
      connection, "SELECT chore_id FROM assignment WHERE family_id = ?1 AND member_id = ?2 AND status = 0"
                  " ORDER BY priority_order, due_order, chore_id");
  dashboard->chores = database_prepare(connection, "SELECT k.slot, c.name, c.priority, c.due_at FROM keys(?2) AS k"
                                                   " CROSS JOIN chore AS c ON c.family_id = ?1 AND c.id = k.value");
  dashboard->assignees =
      database_prepare(connection, "SELECT k.slot, a.member_id FROM keys(?2) AS k"
                                   " CROSS JOIN assignment AS a INDEXED BY assignment_by_chore"
                                   " ON a.family_id = ?1 AND a.chore_id = k.value");
  dashboard->levels =
      database_prepare(connection, "SELECT k.slot, l.award, l.points FROM keys(?2) AS k"
                                   " CROSS JOIN reward_level AS l ON l.family_id = ?1 AND l.contract_id = k.value");
}

bool dashboard_load(struct dashboard *dashboard, int64_t family) {
  dashboard->fragments.count = 0;
  dashboard->member_count = 0;
  chore_set_clear(&dashboard->chore_set);

  sqlite3_bind_int64(dashboard->family, 1, family);
  bool found = sqlite3_step(dashboard->family) == SQLITE_ROW;
  if (found) {
    json_column(&dashboard->fragments, dashboard->family, 0);
    dashboard->family_name = (struct fragment){0, dashboard->fragments.count};
  }
  sqlite3_reset(dashboard->family);
  if (!found) return false;

  load_adults(dashboard, family);
  load_children(dashboard, family);
  encode_identifiers(dashboard, family);
  load_open_chores(dashboard, family);
  load_names_of_adults(dashboard);
  load_chores(dashboard, family);
  load_levels(dashboard, family);
  return true;
}

/// Ends the fragment that begins at `start`.
static struct fragment fragment_since(const struct dashboard *dashboard, size_t start) {
  return (struct fragment){start, dashboard->fragments.count - start};
}

// MARK: Members

/// Inserts a slot in the members, ordered by key: nearly always the last one, because children are created after
/// their parents and read after them.
static struct member *add_member(struct dashboard *dashboard, int64_t key) {
  size_t at = dashboard->member_count++;
  for (; at > 0 && dashboard->members[at - 1].key > key; at--) dashboard->members[at] = dashboard->members[at - 1];
  dashboard->members[at].key = key;
  return &dashboard->members[at];
}

/// The names of adults are read on demand.
static void load_adults(struct dashboard *dashboard, int64_t family) {
  sqlite3_stmt *rows = dashboard->adults;
  sqlite3_bind_int64(rows, 1, family);
  while (dashboard->member_count < MEMBERS && sqlite3_step(rows) == SQLITE_ROW) {
    struct member *member = add_member(dashboard, sqlite3_column_int64(rows, 0));
    member->is_child = member->has_name = member->has_contract = false;
  }
  sqlite3_reset(rows);
}

static void load_children(struct dashboard *dashboard, int64_t family) {
  sqlite3_stmt *rows = dashboard->children;
  sqlite3_bind_int64(rows, 1, family);
  while (dashboard->member_count < MEMBERS && sqlite3_step(rows) == SQLITE_ROW) {
    struct member *member = add_member(dashboard, sqlite3_column_int64(rows, 0));
    member->is_child = true;
    member->points = sqlite3_column_int64(rows, 2);
    member->contract = sqlite3_column_int64(rows, 3);
    member->has_contract = member->contract != 0;
    member->max_points = sqlite3_column_int64(rows, 4);
    // The identifier is filled in with all others.
    size_t start = dashboard->fragments.count;
    bytes_literal(&dashboard->fragments, "{\"id\":\"0123456789abc\",\"name\":");
    json_column(&dashboard->fragments, rows, 1);
    member->has_name = true;
    member->face = fragment_since(dashboard, start);
  }
  sqlite3_reset(rows);
}

static void encode_identifiers(struct dashboard *dashboard, int64_t family) {
  int64_t keys[1 + 2 * MEMBERS];
  struct identifier identifiers[1 + 2 * MEMBERS];
  size_t count = 0;
  keys[count++] = family;
  for (size_t index = 0; index < dashboard->member_count; index++) {
    const struct member *member = &dashboard->members[index];
    if (member->is_child) keys[count++] = member->key;
    if (member->has_contract) keys[count++] = member->contract;
  }
  identifiers_encode(keys, count, identifiers);
  count = 0;
  dashboard->family_identifier = identifiers[count++];
  for (size_t index = 0; index < dashboard->member_count; index++) {
    struct member *member = &dashboard->members[index];
    char *face = dashboard->fragments.start + member->face.start;
    if (member->is_child) memcpy(face + sizeof("{\"id\":\"") - 1, &identifiers[count++], IDENTIFIER_LENGTH);
    if (member->has_contract) member->contract_identifier = identifiers[count++];
  }
}

static void load_names_of_adults(struct dashboard *dashboard) {
  uint64_t assigned = 0;
  for (int index = 0; index < dashboard->chore_set.count; index++) assigned |= dashboard->chore_set.assignees[index];
  for (; assigned; assigned &= assigned - 1) {
    struct member *member = &dashboard->members[__builtin_ctzll(assigned)];
    if (member->has_name) continue;
    struct identifier identifier;
    identifiers_encode(&member->key, 1, &identifier);
    size_t start = dashboard->fragments.count;
    bytes_literal(&dashboard->fragments, "{\"id\":\"");
    bytes_append(&dashboard->fragments, identifier.text, IDENTIFIER_LENGTH);
    bytes_literal(&dashboard->fragments, "\",\"name\":");
    sqlite3_bind_int64(dashboard->adult_name, 1, member->key);
    sqlite3_step(dashboard->adult_name);
    json_column(&dashboard->fragments, dashboard->adult_name, 0);
    sqlite3_reset(dashboard->adult_name);
    member->has_name = true;
    member->face = fragment_since(dashboard, start);
  }
}

// MARK: Chores

/// Reads the open chores of each member. A chore in a member's list has the member as assignee, so that
/// assignees need not be read separately, unless a list was longer than its shown part.
static void load_open_chores(struct dashboard *dashboard, int64_t family) {
  sqlite3_stmt *rows = dashboard->open_chores;
  struct chore_set *chores = &dashboard->chore_set;
  bool was_cut = false;
  sqlite3_bind_int64(rows, 1, family);
  // Children first: only their open chores are shown.
  for (int adults = 0; adults < 2; adults++) {
    for (size_t index = 0; index < dashboard->member_count; index++) {
      struct member *member = &dashboard->members[index];
      if (member->is_child == adults) continue;
      sqlite3_bind_int64(rows, 2, member->key);
      member->chore_count = 0;
      while (sqlite3_step(rows) == SQLITE_ROW) {
        if (member->chore_count == CHORES_PER_MEMBER) {
          was_cut = true;
          break;
        }
        int64_t key = sqlite3_column_int64(rows, 0);
        int position = member->is_child ? chore_set_add(chores, key) : chore_set_find(chores, key);
        member->chores[member->chore_count++] = (uint16_t)position;
        if (position >= 0) chores->assignees[position] |= 1ull << index;
      }
      sqlite3_reset(rows);
    }
  }
  if (was_cut) load_assignees(dashboard, family);
}

static void load_assignees(struct dashboard *dashboard, int64_t family) {
  sqlite3_stmt *rows = dashboard->assignees;
  struct keys keys = {dashboard->chore_set.keys, dashboard->chore_set.count};
  sqlite3_bind_int64(rows, 1, family);
  keys_bind(rows, 2, &keys);
  while (sqlite3_step(rows) == SQLITE_ROW) {
    int64_t key = sqlite3_column_int64(rows, 1);
    for (size_t index = 0; index < dashboard->member_count; index++)
      if (dashboard->members[index].key == key)
        dashboard->chore_set.assignees[sqlite3_column_int(rows, 0)] |= 1ull << index;
  }
  sqlite3_reset(rows);
}

static void append_assignees(struct dashboard *dashboard, uint64_t assignees) {
  struct bytes *output = &dashboard->fragments;
  bytes_literal(output, ",\"assignees\":[");
  for (; assignees; assignees &= assignees - 1) {
    struct fragment face = dashboard->members[__builtin_ctzll(assignees)].face;
    // Reserve first: the face is in the same buffer, which may move.
    char *end = bytes_reserve(output, face.count + 2);
    memcpy(end, output->start + face.start, face.count);
    memcpy(end + face.count, "},", 2);
    output->count += face.count + 2;
  }
  if (output->start[output->count - 1] == ',') output->count--;
  bytes_literal(output, "]}");
}

static void load_chores(struct dashboard *dashboard, int64_t family) {
  sqlite3_stmt *rows = dashboard->chores;
  struct bytes *output = &dashboard->fragments;
  struct keys keys = {dashboard->chore_set.keys, dashboard->chore_set.count};
  struct identifier identifiers[CHORES];
  identifiers_encode(keys.values, (size_t)keys.count, identifiers);
  sqlite3_bind_int64(rows, 1, family);
  keys_bind(rows, 2, &keys);
  while (sqlite3_step(rows) == SQLITE_ROW) {
    int position = sqlite3_column_int(rows, 0);
    size_t start = output->count;
    bytes_literal(output, "{\"id\":\"");
    bytes_append(output, identifiers[position].text, IDENTIFIER_LENGTH);
    bytes_literal(output, "\",\"name\":");
    json_column(output, rows, 1);
    bytes_literal(output, ",\"priority\":");
    json_integer(output, sqlite3_column_int64(rows, 2));
    bytes_literal(output, ",\"dueAt\":");
    if (sqlite3_column_type(rows, 3) == SQLITE_NULL)
      bytes_literal(output, "null");
    else
      instant_append(output, sqlite3_column_int64(rows, 3));
    append_assignees(dashboard, dashboard->chore_set.assignees[position]);
    dashboard->chore_fragments[position] = fragment_since(dashboard, start);
  }
  sqlite3_reset(rows);
}

// MARK: Contracts

static void load_levels(struct dashboard *dashboard, int64_t family) {
  sqlite3_stmt *rows = dashboard->levels;
  struct bytes *output = &dashboard->fragments;
  int64_t contracts[MEMBERS];
  struct member *holders[MEMBERS];
  struct keys keys = {contracts, 0};
  for (size_t index = 0; index < dashboard->member_count; index++) {
    struct member *member = &dashboard->members[index];
    if (!member->has_contract) continue;
    member->levels = (struct fragment){0, 0};
    holders[keys.count] = member;
    contracts[keys.count++] = member->contract;
  }
  sqlite3_bind_int64(rows, 1, family);
  keys_bind(rows, 2, &keys);
  while (sqlite3_step(rows) == SQLITE_ROW) {
    struct fragment *levels = &holders[sqlite3_column_int(rows, 0)]->levels;
    // The levels of a contract are consecutive.
    if (levels->count == 0)
      levels->start = output->count;
    else
      bytes_literal(output, ",");
    bytes_literal(output, "{\"award\":");
    json_column(output, rows, 1);
    bytes_literal(output, ",\"points\":");
    json_integer(output, sqlite3_column_int64(rows, 2));
    bytes_literal(output, "}");
    *levels = fragment_since(dashboard, levels->start);
  }
  sqlite3_reset(rows);
}
