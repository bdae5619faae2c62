#ifndef FLOOR_ANSWER_H
#define FLOOR_ANSWER_H

#include "loop.h"
#include "request.h"

enum answer {
  ANSWER_GIVEN,
  /// The write is filled in, and to be handed to the writer.
  ANSWER_LATER,
  ANSWER_REFUSED,
};

/// Appends the answer to a request to the loop's output, head and all.
enum answer answer_request(struct loop *loop, const struct request *request, struct write *write);

/// Appends the answer to a mutation that has come back.
void answer_write(struct loop *loop, const struct write *write);

#endif
