#ifndef POSTGRESQL_FLOOR_PIPELINE_H
#define POSTGRESQL_FLOOR_PIPELINE_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RESULTS = 128, KEYS = 4096 };

/// A connection in pipeline mode. Results and parameters are binary, and statements are prepared.
struct pipeline {
  PGconn *connection;
  /// The results of the statements that were sent with the last synchronization point.
  PGresult *results[RESULTS];
  size_t count;
  /// Synchronization points whose results are of no interest.
  int ignored;
};

/// A parameter: an integer, or an array of them.
struct parameter {
  const int64_t *keys;
  size_t count;
};

_Noreturn void fail(const char *format, ...);

void pipeline_open(struct pipeline *pipeline, const char *url);

/// Prepares a statement and waits for it.
void pipeline_prepare(struct pipeline *pipeline, const char *name, const char *text);

/// Queues a prepared statement. A parameter with `count` 0 is the integer that `keys` points to.
void pipeline_execute(struct pipeline *pipeline, const char *name, const struct parameter *parameters, int count);

/// Sends what is queued. Its results are collected, or ignored.
void pipeline_flush(struct pipeline *pipeline, bool is_ignored);

/// Reads what has arrived. Returns true once all results have: they are valid until `pipeline_clear`.
bool pipeline_collect(struct pipeline *pipeline);
void pipeline_clear(struct pipeline *pipeline);

int64_t integer_at(const PGresult *rows, int row, int column);

#endif
