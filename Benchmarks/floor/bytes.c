#include "bytes.h"

#include <stdio.h>

void bytes_grow(struct bytes *bytes, size_t more) {
  size_t capacity = bytes->capacity ? bytes->capacity * 2 : 16384;
  while (capacity - bytes->count < more) capacity *= 2;
  char *grown = realloc(bytes->start, capacity);
  if (!grown) {
    fputs("floor: out of memory\n", stderr);
    abort();
  }
  bytes->start = grown;
  bytes->capacity = capacity;
}
