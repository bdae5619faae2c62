#ifndef HEARTH_CASSETS_H
#define HEARTH_CASSETS_H

#include <CPlayground.h>

/// The schema, and the playground's files that are Hearth's own.
extern const size_t own_playground_file_count;

/// `index` is less than `own_playground_file_count`.
struct EmbeddedFile own_playground_file(size_t index);

/// The parts of the playground's page for signing in, as HTML.
struct EmbeddedFile playground_account_tab(void);
struct EmbeddedFile playground_account_panel(void);

/// The pictures of the demo data, which are served like any picture and not under a path of their own: `path` is a name.
extern const size_t demonstration_picture_count;

/// `place` is below `demonstration_picture_count`.
struct EmbeddedFile demonstration_picture(size_t place);

/// The passwords that a new one may not be: lower case, in NFKC, sorted by bytes, each with a line feed behind it.
struct EmbeddedFile common_passwords(void);

#endif
