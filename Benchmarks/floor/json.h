#ifndef FLOOR_JSON_H
#define FLOOR_JSON_H

#include "bytes.h"

#include <sqlite3.h>

/// Appends UTF-8 as a JSON string, quotes included, escaped as the server does it.
void json_text(struct bytes *output, const unsigned char *text, size_t count);

/// Appends a column of text.
static inline void json_column(struct bytes *output, sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  json_text(output, text, (size_t)sqlite3_column_bytes(statement, column));
}

void json_integer(struct bytes *output, int64_t value);

#endif
