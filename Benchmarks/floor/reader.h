#ifndef FLOOR_READER_H
#define FLOOR_READER_H

#include "bytes.h"
#include "dashboard.h"
#include "session.h"

#include <sqlite3.h>

/// The reader of a loop. It runs the statements of a request in one transaction.
struct reader {
  sqlite3_stmt *begin, *commit, *chore;
  struct dashboard dashboard;
};

void reader_open(struct reader *reader, const char *path);

/// Appends the response of the operation of the same name. `key` is the requested object.
void reader_answer_chore(struct reader *reader, const struct session *session, int64_t key, struct bytes *output);
void reader_answer_dashboard(struct reader *reader, const struct session *session, int64_t key, struct bytes *output);

#endif
