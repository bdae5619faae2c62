#include "CAssets.h"

// The compiler embeds the files, so that the program is a single file and serves them from memory. It lists each embedded
// file as a dependency of this one, so that a change to any of them rebuilds it.

// #embed was introduced in C23, and SwiftPM cannot enable C23 for a single target.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char icon[] = {
#embed "files/playground.svg"
};
static const unsigned char account_tab[] = {
#embed "files/account-tab.html"
};
static const unsigned char account_panel[] = {
#embed "files/account-panel.html"
};
static const unsigned char examples[] = {
#embed "files/playground/examples.js"
};
static const unsigned char session[] = {
#embed "files/playground/session.js"
};
static const unsigned char sign_in[] = {
#embed "files/playground/sign-in.js"
};
static const unsigned char demonstration_ada[] = {
#embed "files/demonstration/ada.png"
};
static const unsigned char demonstration_bicycle[] = {
#embed "files/demonstration/bicycle.png"
};
static const unsigned char demonstration_browning[] = {
#embed "files/demonstration/browning.png"
};
static const unsigned char demonstration_cat[] = {
#embed "files/demonstration/cat.png"
};
static const unsigned char demonstration_mia[] = {
#embed "files/demonstration/mia.png"
};
static const unsigned char demonstration_plant[] = {
#embed "files/demonstration/plant.png"
};
static const unsigned char demonstration_tent[] = {
#embed "files/demonstration/tent.png"
};
static const unsigned char common_password_list[] = {
#embed "passwords/common-passwords.txt"
};
static const unsigned char mail_en[] = {
#embed "mail/en.txt"
};
static const unsigned char mail_de[] = {
#embed "mail/de.txt"
};
static const unsigned char mail_fr[] = {
#embed "mail/fr.txt"
};
static const unsigned char mail_es[] = {
#embed "mail/es.txt"
};
static const unsigned char schema_text[] = {
#embed "../../schema.graphql"
};

#define FILE_AT(path, name) {path, name, sizeof name}

static const struct EmbeddedFile playground_files[] = {
  FILE_AT("playground.svg", icon),
  FILE_AT("playground/examples.js", examples),
  FILE_AT("playground/session.js", session),
  FILE_AT("playground/sign-in.js", sign_in),
  FILE_AT("schema.graphql", schema_text),
};

const size_t own_playground_file_count = sizeof playground_files / sizeof playground_files[0];

struct EmbeddedFile own_playground_file(size_t index) { return playground_files[index]; }

struct EmbeddedFile playground_account_tab(void) { return (struct EmbeddedFile)FILE_AT("account-tab.html", account_tab); }

struct EmbeddedFile playground_account_panel(void) {
  return (struct EmbeddedFile)FILE_AT("account-panel.html", account_panel);
}

static const struct EmbeddedFile demonstration_pictures[] = {
  FILE_AT("ada", demonstration_ada),
  FILE_AT("bicycle", demonstration_bicycle),
  FILE_AT("browning", demonstration_browning),
  FILE_AT("cat", demonstration_cat),
  FILE_AT("mia", demonstration_mia),
  FILE_AT("plant", demonstration_plant),
  FILE_AT("tent", demonstration_tent),
};

const size_t demonstration_picture_count = sizeof demonstration_pictures / sizeof demonstration_pictures[0];

struct EmbeddedFile demonstration_picture(size_t index) { return demonstration_pictures[index]; }

struct EmbeddedFile common_passwords(void) {
  return (struct EmbeddedFile)FILE_AT("common-passwords.txt", common_password_list);
}

static const struct EmbeddedFile mail_template_files[] = {
  FILE_AT("en", mail_en),
  FILE_AT("de", mail_de),
  FILE_AT("fr", mail_fr),
  FILE_AT("es", mail_es),
};

const size_t mail_template_file_count = sizeof mail_template_files / sizeof mail_template_files[0];

struct EmbeddedFile mail_template_file(size_t index) { return mail_template_files[index]; }
