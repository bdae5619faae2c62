#ifndef CPLAYGROUND_H
#define CPLAYGROUND_H

#include <stddef.h>

/// A file that is embedded in the program. Its bytes are read-only and exist for the life of the process, so that values of
/// this type can be shared between threads.
struct EmbeddedFile {
  /// The path below the endpoint; empty for the page itself.
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t count;
} __attribute__((swift_attr("@Sendable")));

extern const size_t playground_file_count;

/// `index` must be less than `playground_file_count`.
struct EmbeddedFile playground_file(size_t index);

#endif
