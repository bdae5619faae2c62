#ifndef FLOOR_DASHBOARD_H
#define FLOOR_DASHBOARD_H

#include "bytes.h"
#include "chore_set.h"
#include "identifier.h"

#include <sqlite3.h>
#include <stdbool.h>

/// A part of `fragments`.
struct fragment {
  size_t start;
  size_t count;
};

/// The whole of a family, as the dashboard shows it.
///
/// What stands in the answer more than once (a chore is there for each of its assignees, a child for each of its chores) is
/// rendered once and then copied: so everything is first rendered into `fragments`, and the answer put together from them.
/// What is here is room that is used again for each request.
struct dashboard {
  sqlite3_stmt *family, *children, *adults, *adult_name, *open_chores, *chores, *assignees, *levels;

  struct bytes fragments;
  struct identifier family_identifier;
  struct fragment family_name;

  /// Everyone who may be assigned something, in the order of their keys; a set of members is a word with a bit for each.
  size_t member_count;
  struct member {
    int64_t key;
    int64_t points;
    bool is_child, has_name, has_contract;
    int64_t contract, max_points;
    struct identifier contract_identifier;
    struct fragment levels;
    /// `{"id":…,"name":…` without the brace that closes it, since a child goes on.
    struct fragment face;
    /// Their open chores: positions in `chore_set`.
    size_t chore_count;
    uint16_t chores[CHORES_PER_MEMBER];
  } members[MEMBERS];

  struct chore_set chore_set;
  struct fragment chore_fragments[CHORES];
};

void dashboard_prepare(struct dashboard *dashboard, sqlite3 *connection);

/// Reads the family within the caller's transaction. False when there is none.
bool dashboard_load(struct dashboard *dashboard, int64_t family);

void dashboard_write(const struct dashboard *dashboard, struct bytes *output);

#endif
