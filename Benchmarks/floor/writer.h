#ifndef FLOOR_WRITER_H
#define FLOOR_WRITER_H

#include "operation.h"
#include "session.h"

#include <uv.h>

/// A mutation, passed from a loop to the writer, and back when it is durable.
struct write {
  struct write *next;
  /// The loop to which it returns.
  struct write_returns *returns;
  struct connection *connection;
  struct session session;
  /// The name points into the connection's buffer, which does not change until the response is written.
  struct add_chore_input input;
  int64_t chore; // The new chore's key, or 0 when it was not added.
};

/// The completed mutations of a loop. The writer wakes the loop once per commit.
struct write_returns {
  uv_async_t wake;
  struct write *_Atomic last;
};

/// Starts the writer's thread.
void writer_start(const char *path);

/// Can be called from any loop.
void writer_append(struct write *write);

#endif
