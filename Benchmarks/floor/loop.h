#ifndef FLOOR_LOOP_H
#define FLOOR_LOOP_H

#include "bytes.h"
#include "reader.h"
#include "writer.h"

#include <uv.h>

/// An event loop and the state shared by its connections. Loops share only the writer.
struct loop {
  uv_loop_t uv;
  uv_tcp_t listener;
  struct reader reader;
  struct write_returns returns;
  /// The responses being written. Empty between two events.
  struct bytes output;
  /// The field Date, and the second of the loop's clock it was written in.
  char date[30];
  uint64_t date_second;
};

/// Listens on 127.0.0.1, on a port that all loops share; with port 0 on a free one. Returns the port.
int loop_open(struct loop *loop, const char *database, int port);

/// Does not return.
_Noreturn void loop_run(struct loop *loop);

/// The Date header of responses.
const char *loop_date(struct loop *loop);

#endif
