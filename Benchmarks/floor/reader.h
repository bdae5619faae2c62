#ifndef FLOOR_READER_H
#define FLOOR_READER_H

#include "bytes.h"
#include "dashboard.h"
#include "session.h"

#include <sqlite3.h>

/// What one loop reads with. A request's statements run in one transaction, which its caller need not know.
struct reader {
  sqlite3_stmt *begin, *commit, *chore;
  struct dashboard dashboard;
};

void reader_open(struct reader *reader, const char *path);

/// Appends the answer to the operation of the same name. `key` is what the client asked for.
void reader_answer_chore(struct reader *reader, const struct session *session, int64_t key, struct bytes *output);
void reader_answer_dashboard(struct reader *reader, const struct session *session, int64_t key, struct bytes *output);

#endif
