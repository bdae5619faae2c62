#ifndef FLOOR_INSTANT_H
#define FLOOR_INSTANT_H

#include "bytes.h"

#include <stdbool.h>

/// Appends milliseconds since 1970 as RFC 3339 in UTC, in quotes; with milliseconds only where there are any.
void instant_append(struct bytes *output, int64_t milliseconds);

/// Reads `2026-11-21T08:05:00Z`, the one form that the benchmark sends.
bool instant_parse(const char *text, size_t count, int64_t *milliseconds);

/// Milliseconds since 1970.
int64_t instant_now(void);

#endif
