#include "pipeline.h"

#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("postgresql-floor: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

void pipeline_open(struct pipeline *pipeline, const char *url) {
  *pipeline = (struct pipeline){.connection = PQconnectdb(url)};
  if (PQstatus(pipeline->connection) != CONNECTION_OK) fail("%s", PQerrorMessage(pipeline->connection));
}

void pipeline_prepare(struct pipeline *pipeline, const char *name, const char *text) {
  PGresult *result = PQprepare(pipeline->connection, name, text, 0, NULL);
  if (PQresultStatus(result) != PGRES_COMMAND_OK) fail("%s: %s", text, PQresultErrorMessage(result));
  PQclear(result);
}

/// `bigint[]` in the binary format: dimensions, NULLs, type, size, lower bound, and the elements with their sizes.
static size_t write_array(char *output, const int64_t *keys, size_t count) {
  uint32_t head[5] = {htobe32(1), 0, htobe32(20), htobe32((uint32_t)count), htobe32(1)};
  memcpy(output, head, sizeof head);
  char *end = output + sizeof head;
  for (size_t index = 0; index < count; index++, end += 12) {
    uint32_t size = htobe32(8);
    uint64_t key = htobe64((uint64_t)keys[index]);
    memcpy(end, &size, 4);
    memcpy(end + 4, &key, 8);
  }
  return (size_t)(end - output);
}

void pipeline_execute(struct pipeline *pipeline, const char *name, const struct parameter *parameters, int count) {
  static char arrays[20 + 12 * KEYS];
  uint64_t integers[8];
  const char *values[8];
  int sizes[8], formats[8];
  for (int index = 0; index < count; index++) {
    const struct parameter *parameter = &parameters[index];
    formats[index] = 1;
    if (parameter->count) {
      values[index] = arrays;
      sizes[index] = (int)write_array(arrays, parameter->keys, parameter->count);
    } else {
      integers[index] = htobe64((uint64_t)*parameter->keys);
      values[index] = (const char *)&integers[index];
      sizes[index] = 8;
    }
  }
  if (!PQsendQueryPrepared(pipeline->connection, name, count, values, sizes, formats, 1))
    fail("%s", PQerrorMessage(pipeline->connection));
}

void pipeline_flush(struct pipeline *pipeline, bool is_ignored) {
  if (is_ignored) pipeline->ignored++;
  if (!PQpipelineSync(pipeline->connection)) fail("%s", PQerrorMessage(pipeline->connection));
  // The statements of a dashboard fit into the socket's buffer.
  while (PQflush(pipeline->connection) > 0);
}

bool pipeline_collect(struct pipeline *pipeline) {
  if (!PQconsumeInput(pipeline->connection)) fail("%s", PQerrorMessage(pipeline->connection));
  while (!PQisBusy(pipeline->connection)) {
    PGresult *result = PQgetResult(pipeline->connection);
    // The end of one statement's results.
    if (!result) continue;
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_PIPELINE_SYNC) {
      PQclear(result);
      if (!pipeline->ignored) return true;
      pipeline->ignored--;
    } else if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
      fail("%s", PQresultErrorMessage(result));
    } else if (pipeline->ignored) {
      PQclear(result);
    } else {
      if (pipeline->count == RESULTS) fail("too many results");
      pipeline->results[pipeline->count++] = result;
    }
  }
  return false;
}

void pipeline_clear(struct pipeline *pipeline) {
  for (size_t index = 0; index < pipeline->count; index++) PQclear(pipeline->results[index]);
  pipeline->count = 0;
}

int64_t integer_at(const PGresult *rows, int row, int column) {
  if (PQgetisnull(rows, row, column)) return 0;
  uint64_t value;
  memcpy(&value, PQgetvalue(rows, row, column), sizeof value);
  return (int64_t)be64toh(value);
}
