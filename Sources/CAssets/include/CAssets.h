#ifndef HEARTH_CASSETS_H
#define HEARTH_CASSETS_H

#include <stddef.h>

/// A file whose bytes are part of the program. They are read-only and there for as long as the program runs, which is
/// why a value of this type may be shared between threads.
struct EmbeddedFile {
  /// Where it is served, from `/graphql/` on; the page's own is empty.
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t count;
} __attribute__((swift_attr("@Sendable")));

extern const size_t embedded_file_count;

/// `place` is below `embedded_file_count`.
struct EmbeddedFile embedded_file(size_t place);

/// The pictures of the demo data, which are served like any picture and not under a path of their own: `path` is a name.
extern const size_t demonstration_picture_count;

/// `place` is below `demonstration_picture_count`.
struct EmbeddedFile demonstration_picture(size_t place);

/// The passwords that a new one may not be: lower case, in NFKC, sorted by bytes, each with a line feed behind it.
struct EmbeddedFile common_passwords(void);

#endif
