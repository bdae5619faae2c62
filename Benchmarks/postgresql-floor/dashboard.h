#ifndef POSTGRESQL_FLOOR_DASHBOARD_H
#define POSTGRESQL_FLOOR_DASHBOARD_H

#include "pipeline.h"

enum { CHILDREN = 64 };

/// A dashboard that is being read over a connection.
struct dashboard {
  struct pipeline pipeline;
  int64_t family, session;
  int level;
  /// The number of objects with an id that were read, as they occur in the response.
  size_t objects;
  size_t children;
  int64_t child_keys[CHILDREN], contracts[CHILDREN];
  size_t contract_count;
  int64_t chores[KEYS];
  /// How often each of them occurs in the response.
  unsigned occurrences[KEYS];
  size_t chore_count;
  /// The response.
  char text[1 << 17];
  size_t written;
};

/// Prepares the statements, and ends with the connection in pipeline mode.
void dashboard_open(struct dashboard *dashboard, const char *url);

/// Sends the first statements, of the levels or of the single one.
void dashboard_begin_levels(struct dashboard *dashboard, int64_t family, int64_t session);
void dashboard_begin_json(struct dashboard *dashboard, int64_t family);

/// Takes what has arrived, and sends the statements that it leads to. Returns true once the dashboard is complete.
bool dashboard_advance(struct dashboard *dashboard);

#endif
