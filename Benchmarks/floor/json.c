#include "json.h"

#include <stdbool.h>

#define EVERY_BYTE(value) (0x0101010101010101ull * (value))

/// Whether one of eight bytes is a control character, a quote or a backslash. Can have false positives after such a byte,
/// but no false negatives. Names rarely contain any; then the bytes are examined one by one.
static inline bool needs_care(uint64_t word) {
  uint64_t quote = word ^ EVERY_BYTE('"'), backslash = word ^ EVERY_BYTE('\\');
  uint64_t found = ((word - EVERY_BYTE(0x20)) & ~word) | ((quote - EVERY_BYTE(1)) & ~quote) |
                   ((backslash - EVERY_BYTE(1)) & ~backslash);
  return found & EVERY_BYTE(0x80);
}

static bool is_plain(const unsigned char *text, size_t count) {
  uint64_t word;
  while (count >= 8) {
    memcpy(&word, text, 8);
    if (needs_care(word)) return false;
    text += 8;
    count -= 8;
  }
  if (!count) return true;
  word = EVERY_BYTE('a');
  memcpy(&word, text, count);
  return !needs_care(word);
}

static char *escape(char *at, unsigned char byte) {
  static const char digits[] = "0123456789abcdef";
  *at++ = '\\';
  switch (byte) {
  case '"': *at++ = '"'; break;
  case '\\': *at++ = '\\'; break;
  case '\n': *at++ = 'n'; break;
  case '\r': *at++ = 'r'; break;
  case '\t': *at++ = 't'; break;
  default:
    memcpy(at, "u00", 3);
    at[3] = digits[byte >> 4];
    at[4] = digits[byte & 15];
    at += 5;
  }
  return at;
}

void json_text(struct bytes *output, const unsigned char *text, size_t count) {
  char *start = bytes_reserve(output, count * 6 + 2), *at = start;
  *at++ = '"';
  if (is_plain(text, count)) {
    memcpy(at, text, count);
    at += count;
  } else {
    for (size_t index = 0; index < count; index++) {
      unsigned char byte = text[index];
      if (byte >= 0x20 && byte != '"' && byte != '\\')
        *at++ = (char)byte;
      else
        at = escape(at, byte);
    }
  }
  *at++ = '"';
  output->count += (size_t)(at - start);
}

void json_integer(struct bytes *output, int64_t value) {
  char digits[20];
  size_t first = sizeof digits;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do digits[--first] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) digits[--first] = '-';
  bytes_append(output, digits + first, sizeof digits - first);
}
