#ifndef CPLAYGROUND_H
#define CPLAYGROUND_H

#include <stddef.h>

/// A file whose bytes are part of the program. They are read-only and exist as long as the program runs, so a value of
/// this type can be shared between threads.
struct EmbeddedFile {
  /// The path below the endpoint; the page's own is empty.
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t count;
} __attribute__((swift_attr("@Sendable")));

extern const size_t playground_file_count;

/// `index` is less than `playground_file_count`.
struct EmbeddedFile playground_file(size_t index);

#endif
