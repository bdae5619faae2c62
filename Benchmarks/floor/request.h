#ifndef FLOOR_REQUEST_H
#define FLOOR_REQUEST_H

#include "operation.h"

#include <sys/types.h>

/// A request of HTTP/1.1, as far as the floor wants to know it. It points into the bytes that were read.
struct request {
  bool is_graphql; // POST /graphql
  bool closes;     // The client wants no answer after this one.
  struct text token;
  struct text body;
};

/// Reads the first request. Returns how many bytes it takes up, 0 when it is not all there, and -1 when it is none.
ssize_t request_parse(const char *bytes, size_t count, struct request *request);

#endif
