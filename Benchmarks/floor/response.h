#ifndef FLOOR_RESPONSE_H
#define FLOOR_RESPONSE_H

#include "bytes.h"

/// Appends the head of an answer, with the same fields as the server's. The length is filled in by `response_end`, which is
/// given what this returned, once the body has been appended.
size_t response_begin(struct bytes *output, const char date[static 30]);
void response_end(struct bytes *output, size_t head);

/// Appends an error response. The connection must be closed after it.
void response_refuse(struct bytes *output, const char *status);

/// Writes the time as HTTP wants it (RFC 9110, section 5.6.7).
void response_write_date(char date[static 30]);

#endif
