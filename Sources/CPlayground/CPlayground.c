#include "CPlayground.h"

// The compiler embeds the files, so that the program is a single file and serves them from memory. It lists each embedded
// file as a dependency of this one, so that a change to any of them rebuilds it.

// #embed was introduced in C23, and SwiftPM cannot enable C23 for a single target.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "files/playground.html"
};
static const unsigned char style[] = {
#embed "files/playground.css"
};
static const unsigned char icon[] = {
#embed "files/playground.svg"
};
static const unsigned char playground[] = {
#embed "files/playground.js"
};
static const unsigned char answer[] = {
#embed "files/playground/answer.js"
};
static const unsigned char ask[] = {
#embed "files/playground/ask.js"
};
static const unsigned char builder[] = {
#embed "files/playground/builder.js"
};
static const unsigned char causes[] = {
#embed "files/playground/causes.js"
};
static const unsigned char codemirror[] = {
#embed "files/playground/codemirror.js"
};
static const unsigned char collection_values[] = {
#embed "files/playground/collection-values.js"
};
static const unsigned char commands[] = {
#embed "files/playground/commands.js"
};
static const unsigned char compare[] = {
#embed "files/playground/compare.js"
};
static const unsigned char connections[] = {
#embed "files/playground/connections.js"
};
static const unsigned char download[] = {
#embed "files/playground/download.js"
};
static const unsigned char edges[] = {
#embed "files/playground/edges.js"
};
static const unsigned char editor[] = {
#embed "files/playground/editor.js"
};
static const unsigned char environments[] = {
#embed "files/playground/environments.js"
};
static const unsigned char event_log[] = {
#embed "files/playground/event-log.js"
};
static const unsigned char event_stream[] = {
#embed "files/playground/event-stream.js"
};
static const unsigned char examples[] = {
#embed "files/playground/examples.js"
};
static const unsigned char files[] = {
#embed "files/playground/files.js"
};
static const unsigned char history[] = {
#embed "files/playground/history.js"
};
static const unsigned char input_fields[] = {
#embed "files/playground/input-fields.js"
};
static const unsigned char json_object[] = {
#embed "files/playground/json-object.js"
};
static const unsigned char language_completion[] = {
#embed "files/playground/language/completion.js"
};
static const unsigned char language_context[] = {
#embed "files/playground/language/context.js"
};
static const unsigned char language_declarations[] = {
#embed "files/playground/language/declarations.js"
};
static const unsigned char language_definition[] = {
#embed "files/playground/language/definition.js"
};
static const unsigned char language_diagnostics[] = {
#embed "files/playground/language/diagnostics.js"
};
static const unsigned char language_highlighting[] = {
#embed "files/playground/language/highlighting.js"
};
static const unsigned char language_hover[] = {
#embed "files/playground/language/hover.js"
};
static const unsigned char language_lexer[] = {
#embed "files/playground/language/lexer.js"
};
static const unsigned char language_merge[] = {
#embed "files/playground/language/merge.js"
};
static const unsigned char language_parser[] = {
#embed "files/playground/language/parser.js"
};
static const unsigned char language_prettify[] = {
#embed "files/playground/language/prettify.js"
};
static const unsigned char language_refactoring[] = {
#embed "files/playground/language/refactoring.js"
};
static const unsigned char language_validation[] = {
#embed "files/playground/language/validation.js"
};
static const unsigned char language_variable_completion[] = {
#embed "files/playground/language/variable-completion.js"
};
static const unsigned char line_diff[] = {
#embed "files/playground/line-diff.js"
};
static const unsigned char links[] = {
#embed "files/playground/links.js"
};
static const unsigned char manifest[] = {
#embed "files/playground/manifest.js"
};
static const unsigned char memory[] = {
#embed "files/playground/memory.js"
};
static const unsigned char next_page[] = {
#embed "files/playground/next-page.js"
};
static const unsigned char palette[] = {
#embed "files/playground/palette.js"
};
static const unsigned char panels[] = {
#embed "files/playground/panels.js"
};
static const unsigned char parts[] = {
#embed "files/playground/parts.js"
};
static const unsigned char problems[] = {
#embed "files/playground/problems.js"
};
static const unsigned char result[] = {
#embed "files/playground/result.js"
};
static const unsigned char sandbox[] = {
#embed "files/playground/sandbox.js"
};
static const unsigned char saved[] = {
#embed "files/playground/saved.js"
};
static const unsigned char schema_changes[] = {
#embed "files/playground/schema/changes.js"
};
static const unsigned char schema_diff[] = {
#embed "files/playground/schema/diff.js"
};
static const unsigned char schema_explorer[] = {
#embed "files/playground/schema/explorer.js"
};
static const unsigned char schema_graph[] = {
#embed "files/playground/schema/graph.js"
};
static const unsigned char schema_load[] = {
#embed "files/playground/schema/load.js"
};
static const unsigned char schema_map[] = {
#embed "files/playground/schema/map.js"
};
static const unsigned char schema_paths[] = {
#embed "files/playground/schema/paths.js"
};
static const unsigned char schema_prose[] = {
#embed "files/playground/schema/prose.js"
};
static const unsigned char schema_schema[] = {
#embed "files/playground/schema/schema.js"
};
static const unsigned char schema_source[] = {
#embed "files/playground/schema/source.js"
};
static const unsigned char script_consent[] = {
#embed "files/playground/script-consent.js"
};
static const unsigned char script_frame[] = {
#embed "files/playground/script-frame.html"
};
static const unsigned char scripts[] = {
#embed "files/playground/scripts.js"
};
static const unsigned char session[] = {
#embed "files/playground/session.js"
};
static const unsigned char share[] = {
#embed "files/playground/share.js"
};
static const unsigned char shortcuts[] = {
#embed "files/playground/shortcuts.js"
};
static const unsigned char sign_in[] = {
#embed "files/playground/sign-in.js"
};
static const unsigned char silence[] = {
#embed "files/playground/silence.js"
};
static const unsigned char snippets[] = {
#embed "files/playground/snippets.js"
};
static const unsigned char subscription[] = {
#embed "files/playground/subscription.js"
};
static const unsigned char table[] = {
#embed "files/playground/table.js"
};
static const unsigned char tabs[] = {
#embed "files/playground/tabs.js"
};
static const unsigned char theme[] = {
#embed "files/playground/theme.js"
};
static const unsigned char trace[] = {
#embed "files/playground/trace.js"
};
static const unsigned char transport[] = {
#embed "files/playground/transport.js"
};
static const unsigned char web_socket[] = {
#embed "files/playground/web-socket.js"
};

#define FILE_AT(path, name) {path, name, sizeof name}

static const struct EmbeddedFile files_of_playground[] = {
  FILE_AT("", page),
  FILE_AT("playground.css", style),
  FILE_AT("playground.svg", icon),
  FILE_AT("playground.js", playground),
  FILE_AT("playground/answer.js", answer),
  FILE_AT("playground/ask.js", ask),
  FILE_AT("playground/builder.js", builder),
  FILE_AT("playground/causes.js", causes),
  FILE_AT("playground/codemirror.js", codemirror),
  FILE_AT("playground/collection-values.js", collection_values),
  FILE_AT("playground/commands.js", commands),
  FILE_AT("playground/compare.js", compare),
  FILE_AT("playground/connections.js", connections),
  FILE_AT("playground/download.js", download),
  FILE_AT("playground/edges.js", edges),
  FILE_AT("playground/editor.js", editor),
  FILE_AT("playground/environments.js", environments),
  FILE_AT("playground/event-log.js", event_log),
  FILE_AT("playground/event-stream.js", event_stream),
  FILE_AT("playground/examples.js", examples),
  FILE_AT("playground/files.js", files),
  FILE_AT("playground/history.js", history),
  FILE_AT("playground/input-fields.js", input_fields),
  FILE_AT("playground/json-object.js", json_object),
  FILE_AT("playground/language/completion.js", language_completion),
  FILE_AT("playground/language/context.js", language_context),
  FILE_AT("playground/language/declarations.js", language_declarations),
  FILE_AT("playground/language/definition.js", language_definition),
  FILE_AT("playground/language/diagnostics.js", language_diagnostics),
  FILE_AT("playground/language/highlighting.js", language_highlighting),
  FILE_AT("playground/language/hover.js", language_hover),
  FILE_AT("playground/language/lexer.js", language_lexer),
  FILE_AT("playground/language/merge.js", language_merge),
  FILE_AT("playground/language/parser.js", language_parser),
  FILE_AT("playground/language/prettify.js", language_prettify),
  FILE_AT("playground/language/refactoring.js", language_refactoring),
  FILE_AT("playground/language/validation.js", language_validation),
  FILE_AT("playground/language/variable-completion.js", language_variable_completion),
  FILE_AT("playground/line-diff.js", line_diff),
  FILE_AT("playground/links.js", links),
  FILE_AT("playground/manifest.js", manifest),
  FILE_AT("playground/memory.js", memory),
  FILE_AT("playground/next-page.js", next_page),
  FILE_AT("playground/palette.js", palette),
  FILE_AT("playground/panels.js", panels),
  FILE_AT("playground/parts.js", parts),
  FILE_AT("playground/problems.js", problems),
  FILE_AT("playground/result.js", result),
  FILE_AT("playground/sandbox.js", sandbox),
  FILE_AT("playground/saved.js", saved),
  FILE_AT("playground/schema/changes.js", schema_changes),
  FILE_AT("playground/schema/diff.js", schema_diff),
  FILE_AT("playground/schema/explorer.js", schema_explorer),
  FILE_AT("playground/schema/graph.js", schema_graph),
  FILE_AT("playground/schema/load.js", schema_load),
  FILE_AT("playground/schema/map.js", schema_map),
  FILE_AT("playground/schema/paths.js", schema_paths),
  FILE_AT("playground/schema/prose.js", schema_prose),
  FILE_AT("playground/schema/schema.js", schema_schema),
  FILE_AT("playground/schema/source.js", schema_source),
  FILE_AT("playground/script-consent.js", script_consent),
  FILE_AT("playground/script-frame.html", script_frame),
  FILE_AT("playground/scripts.js", scripts),
  FILE_AT("playground/session.js", session),
  FILE_AT("playground/share.js", share),
  FILE_AT("playground/shortcuts.js", shortcuts),
  FILE_AT("playground/sign-in.js", sign_in),
  FILE_AT("playground/silence.js", silence),
  FILE_AT("playground/snippets.js", snippets),
  FILE_AT("playground/subscription.js", subscription),
  FILE_AT("playground/table.js", table),
  FILE_AT("playground/tabs.js", tabs),
  FILE_AT("playground/theme.js", theme),
  FILE_AT("playground/trace.js", trace),
  FILE_AT("playground/transport.js", transport),
  FILE_AT("playground/web-socket.js", web_socket),
};

const size_t playground_file_count = sizeof files_of_playground / sizeof files_of_playground[0];

struct EmbeddedFile playground_file(size_t index) { return files_of_playground[index]; }
