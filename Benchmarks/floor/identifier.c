#include "identifier.h"

#include <string.h>

// Speck64/128 (https://eprint.iacr.org/2013/404): 27 rounds on two words of 32 bits.
enum { ROUNDS = 27, LANES = 8 };

static uint32_t round_keys[ROUNDS];

static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
/// Two characters for each value of ten bits, and for each character its value or -1.
static char pairs[1024][2];
static signed char values[256];

static inline uint32_t right(uint32_t word, int by) { return word >> by | word << (32 - by); }
static inline uint32_t left(uint32_t word, int by) { return word << by | word >> (32 - by); }

void identifier_use_key(const unsigned char *key) {
  uint32_t words[4];
  memcpy(words, key, sizeof words); // Little-endian, as are the machines this runs on.
  uint32_t round_key = words[0];
  for (uint32_t round = 0; round < ROUNDS; round++) {
    round_keys[round] = round_key;
    uint32_t *word = &words[1 + round % 3];
    *word = (right(*word, 8) + round_key) ^ round;
    round_key = left(round_key, 3) ^ *word;
  }
  for (int value = 0; value < 1024; value++) {
    pairs[value][0] = alphabet[value >> 5];
    pairs[value][1] = alphabet[value & 31];
  }
  memset(values, -1, sizeof values);
  for (int value = 0; value < 32; value++) values[(unsigned char)alphabet[value]] = (signed char)value;
}

static void write_base32(uint64_t bits, char *text) {
  text[0] = alphabet[bits >> 60];
  for (int pair = 0; pair < 6; pair++) memcpy(text + 1 + pair * 2, pairs[bits >> (50 - pair * 10) & 1023], 2);
}

typedef uint32_t lanes __attribute__((vector_size(LANES * sizeof(uint32_t))));

void identifiers_encode(const int64_t *keys, size_t count, struct identifier *identifiers) {
  for (size_t first = 0; first < count; first += LANES) {
    size_t used = count - first < LANES ? count - first : LANES;
    lanes x = {0}, y = {0};
    for (size_t lane = 0; lane < used; lane++) {
      x[lane] = (uint32_t)((uint64_t)keys[first + lane] >> 32);
      y[lane] = (uint32_t)keys[first + lane];
    }
    for (int round = 0; round < ROUNDS; round++) {
      x = ((x >> 8 | x << 24) + y) ^ round_keys[round];
      y = (y << 3 | y >> 29) ^ x;
    }
    for (size_t lane = 0; lane < used; lane++)
      write_base32((uint64_t)x[lane] << 32 | y[lane], identifiers[first + lane].text);
  }
}

bool identifier_decode(const char *text, int64_t *key) {
  uint64_t bits = 0;
  for (int index = 0; index < IDENTIFIER_LENGTH; index++) {
    signed char value = values[(unsigned char)text[index]];
    if (value < 0 || (index == 0 && value > 15)) return false;
    bits = bits << 5 | (uint64_t)value;
  }
  uint32_t x = (uint32_t)(bits >> 32), y = (uint32_t)bits;
  for (int round = ROUNDS - 1; round >= 0; round--) {
    y = right(y ^ x, 3);
    x = left((x ^ round_keys[round]) - y, 8);
  }
  *key = (int64_t)((uint64_t)x << 32 | y);
  return true;
}
