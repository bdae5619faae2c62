#ifndef FLOOR_WRITER_H
#define FLOOR_WRITER_H

#include "operation.h"
#include "session.h"

#include <uv.h>

/// A mutation on its way: from a loop to the writer, and back when it is on the disk.
struct write {
  struct write *next;
  /// The loop to which it comes back.
  struct write_returns *returns;
  struct connection *connection;
  struct session session;
  /// The name points into the connection's bytes, which stay as they are until the answer is written.
  struct add_chore_input input;
  int64_t chore; // The new chore's key, or 0 when it was not added.
};

/// What comes back to a loop. The writer wakes the loop once for all that a commit brings.
struct write_returns {
  uv_async_t wake;
  struct write *_Atomic last;
};

/// Starts the one thread that writes.
void writer_start(const char *path);

/// From any loop.
void writer_append(struct write *write);

#endif
