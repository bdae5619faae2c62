#include "CAssets.h"

// Embedded by the compiler, so that the program is one file and serves its page from memory. The compiler lists each
// embedded file among the dependencies of this one: a change to any of them rebuilds it.

// #embed came with C23, and SwiftPM has no way to ask for C23 in one target only.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define EMBEDDED_FILE(name) \
  const struct EmbeddedFile embedded_##name = {name##_bytes, sizeof name##_bytes}

static const unsigned char playground_page_bytes[] = {
#embed "files/playground.html"
};
EMBEDDED_FILE(playground_page);

static const unsigned char playground_style_bytes[] = {
#embed "files/playground.css"
};
EMBEDDED_FILE(playground_style);

static const unsigned char playground_icon_bytes[] = {
#embed "files/playground.svg"
};
EMBEDDED_FILE(playground_icon);

static const unsigned char playground_script_bytes[] = {
#embed "files/playground.js"
};
EMBEDDED_FILE(playground_script);

static const unsigned char playground_editor_bytes[] = {
#embed "files/playground/editor.js"
};
EMBEDDED_FILE(playground_editor);

static const unsigned char playground_examples_bytes[] = {
#embed "files/playground/examples.js"
};
EMBEDDED_FILE(playground_examples);

static const unsigned char playground_highlight_bytes[] = {
#embed "files/playground/highlight.js"
};
EMBEDDED_FILE(playground_highlight);

static const unsigned char playground_memory_bytes[] = {
#embed "files/playground/memory.js"
};
EMBEDDED_FILE(playground_memory);

static const unsigned char playground_operations_bytes[] = {
#embed "files/playground/operations.js"
};
EMBEDDED_FILE(playground_operations);

static const unsigned char playground_result_bytes[] = {
#embed "files/playground/result.js"
};
EMBEDDED_FILE(playground_result);

static const unsigned char playground_schema_bytes[] = {
#embed "files/playground/schema.js"
};
EMBEDDED_FILE(playground_schema);

static const unsigned char playground_session_bytes[] = {
#embed "files/playground/session.js"
};
EMBEDDED_FILE(playground_session);

static const unsigned char playground_sign_in_bytes[] = {
#embed "files/playground/sign-in.js"
};
EMBEDDED_FILE(playground_sign_in);

static const unsigned char playground_theme_bytes[] = {
#embed "files/playground/theme.js"
};
EMBEDDED_FILE(playground_theme);

static const unsigned char playground_transport_bytes[] = {
#embed "files/playground/transport.js"
};
EMBEDDED_FILE(playground_transport);

static const unsigned char schema_bytes[] = {
#embed "../../schema.graphql"
};
EMBEDDED_FILE(schema);
