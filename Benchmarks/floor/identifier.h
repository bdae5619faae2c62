#ifndef FLOOR_IDENTIFIER_H
#define FLOOR_IDENTIFIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a key names: its low six bits.
enum kind { KIND_FAMILY = 1, KIND_PERSON = 3, KIND_CHILD = 4, KIND_CHORE = 5 };

static inline enum kind key_kind(int64_t key) { return (enum kind)(key & 63); }

/// How many characters an identifier has.
enum { IDENTIFIER_LENGTH = 13 };

/// Keys as clients see them: enciphered, so that nobody can count or guess them, in base 32.
struct identifier {
  char text[IDENTIFIER_LENGTH];
};

/// Expands the 16 bytes of the setting "id-key". Once, before anything else here.
void identifier_use_key(const unsigned char *key);

/// Enciphers eight keys at a time: one by one, each round waits for the one before.
void identifiers_encode(const int64_t *keys, size_t count, struct identifier *identifiers);

/// False when the text is not an identifier.
bool identifier_decode(const char *text, int64_t *key);

#endif
