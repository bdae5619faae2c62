#ifndef FLOOR_IDENTIFIER_H
#define FLOOR_IDENTIFIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The type of a key: its low six bits.
enum kind { KIND_FAMILY = 1, KIND_PERSON = 3, KIND_CHILD = 4, KIND_CHORE = 5 };

static inline enum kind key_kind(int64_t key) { return (enum kind)(key & 63); }

/// The length of an identifier in characters.
enum { IDENTIFIER_LENGTH = 13 };

/// Keys as clients see them: encrypted, so that they can be neither counted nor guessed, in base 32.
struct identifier {
  char text[IDENTIFIER_LENGTH];
};

/// Expands the 16 bytes of the setting "id-key". Must be called once, before the other functions.
void identifier_use_key(const unsigned char *key);

/// Encrypts eight keys at a time: one by one, each round would wait for the previous one.
void identifiers_encode(const int64_t *keys, size_t count, struct identifier *identifiers);

/// Returns false if the text is not an identifier.
bool identifier_decode(const char *text, int64_t *key);

#endif
