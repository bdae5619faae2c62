#ifndef HEARTH_CASSETS_H
#define HEARTH_CASSETS_H

#include <stddef.h>

/// A file whose bytes are part of the program. They are read-only and there for as long as the program runs, which is
/// why a value of this type may be shared between threads.
struct EmbeddedFile {
  const unsigned char *_Nonnull bytes;
  size_t count;
} __attribute__((swift_attr("@Sendable")));

extern const struct EmbeddedFile embedded_playground_page;
extern const struct EmbeddedFile embedded_playground_style;
extern const struct EmbeddedFile embedded_playground_icon;
extern const struct EmbeddedFile embedded_playground_script;
extern const struct EmbeddedFile embedded_playground_editor;
extern const struct EmbeddedFile embedded_playground_examples;
extern const struct EmbeddedFile embedded_playground_highlight;
extern const struct EmbeddedFile embedded_playground_memory;
extern const struct EmbeddedFile embedded_playground_operations;
extern const struct EmbeddedFile embedded_playground_result;
extern const struct EmbeddedFile embedded_playground_schema;
extern const struct EmbeddedFile embedded_playground_session;
extern const struct EmbeddedFile embedded_playground_sign_in;
extern const struct EmbeddedFile embedded_playground_theme;
extern const struct EmbeddedFile embedded_playground_transport;
extern const struct EmbeddedFile embedded_schema;

#endif
