#ifndef FLOOR_CONNECTION_H
#define FLOOR_CONNECTION_H

#include "loop.h"

/// Takes a connection from the loop's listener.
void connection_accept(struct loop *loop);

/// The mutation that the connection waits for is done.
void connection_write_returned(struct connection *connection);

#endif
