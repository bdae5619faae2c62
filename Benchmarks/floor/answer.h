#ifndef FLOOR_ANSWER_H
#define FLOOR_ANSWER_H

#include "loop.h"
#include "request.h"

enum answer {
  ANSWER_GIVEN,
  /// The write is filled in and must be queued.
  ANSWER_LATER,
  ANSWER_REFUSED,
};

/// Appends the complete response of a request to the loop's output.
enum answer answer_request(struct loop *loop, const struct request *request, struct write *write);

/// Appends the response of a completed mutation.
void answer_write(struct loop *loop, const struct write *write);

#endif
