#ifndef HEARTH_CASSETS_H
#define HEARTH_CASSETS_H

#include <CPlayground.h>

/// The schema, and Hearth's own files of the playground.
extern const size_t own_playground_file_count;

/// `index` must be less than `own_playground_file_count`.
struct EmbeddedFile own_playground_file(size_t index);

/// The sign-in parts of the playground's page, as HTML.
struct EmbeddedFile playground_account_tab(void);
struct EmbeddedFile playground_account_panel(void);

/// The pictures of the demo data, which are served like any other picture: `path` is only a name.
extern const size_t demonstration_picture_count;

/// `index` must be less than `demonstration_picture_count`.
struct EmbeddedFile demonstration_picture(size_t index);

/// The common passwords that are rejected: in lower case and NFKC, sorted by bytes, each followed by a line feed.
struct EmbeddedFile common_passwords(void);

/// The texts of mails. The name of a file is its language.
extern const size_t mail_template_file_count;

/// `index` must be less than `mail_template_file_count`.
struct EmbeddedFile mail_template_file(size_t index);

#endif
