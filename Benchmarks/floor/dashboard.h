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

/// A family with everything that the dashboard shows.
///
/// Parts that occur repeatedly in the response (a chore once for each assignee, a child once for each of its chores) are
/// rendered once and then copied: everything is first rendered into `fragments`, from which the response is assembled.
/// The memory is reused for each request.
struct dashboard {
  sqlite3_stmt *family, *children, *adults, *adult_name, *open_chores, *chores, *assignees, *levels;

  struct bytes fragments;
  struct identifier family_identifier;
  struct fragment family_name;

  /// All possible assignees in the order of their keys. A set of members is a bit set in a word.
  size_t member_count;
  struct member {
    int64_t key;
    int64_t points;
    bool is_child, has_name, has_contract;
    int64_t contract, max_points;
    struct identifier contract_identifier;
    struct fragment levels;
    /// `{"id":…,"name":…` without the closing brace, because a child has more fields.
    struct fragment face;
    /// Their open chores: indices in `chore_set`.
    size_t chore_count;
    uint16_t chores[CHORES_PER_MEMBER];
  } members[MEMBERS];

  struct chore_set chore_set;
  struct fragment chore_fragments[CHORES];
};

void dashboard_prepare(struct dashboard *dashboard, sqlite3 *connection);

/// Reads the family within the caller's transaction. Returns false if there is none.
bool dashboard_load(struct dashboard *dashboard, int64_t family);

void dashboard_write(const struct dashboard *dashboard, struct bytes *output);

#endif
