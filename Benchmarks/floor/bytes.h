#ifndef FLOOR_BYTES_H
#define FLOOR_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// A growable byte buffer. It is reused for all requests, so that it soon stops growing.
struct bytes {
  char *start;
  size_t count;
  size_t capacity;
};

void bytes_grow(struct bytes *bytes, size_t more);

/// Reserves `more` bytes and returns their address. The caller adds the number of written bytes to `count`.
static inline char *bytes_reserve(struct bytes *bytes, size_t more) {
  if (bytes->capacity - bytes->count < more) bytes_grow(bytes, more);
  return bytes->start + bytes->count;
}

static inline void bytes_append(struct bytes *bytes, const void *source, size_t count) {
  memcpy(bytes_reserve(bytes, count), source, count);
  bytes->count += count;
}

/// For literals, whose length is a constant: the copy becomes a few moves.
#define bytes_literal(bytes, literal) bytes_append(bytes, literal, sizeof(literal) - 1)

#endif
