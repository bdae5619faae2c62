#ifndef CCLIENTSOURCES_H
#define CCLIENTSOURCES_H

#include <stddef.h>

/// A source file of a client, embedded in the program. Its bytes are read-only and exist for the life of the process, so
/// that values of this type can be shared between threads.
struct ClientSource {
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
} __attribute__((swift_attr("@Sendable")));

/// The part of a TypeScript client that does not depend on its documents.
struct ClientSource typescript_client_source(void);

/// React hooks over a TypeScript client, without the line that imports it.
struct ClientSource react_hooks_source(void);

/// The files of the module HearthClient.
extern const size_t swift_client_source_count;

/// `index` must be less than `swift_client_source_count`.
struct ClientSource swift_client_source(size_t index);

#endif
