#include "request.h"

#include <string.h>
#include <strings.h>

static bool has_prefix(struct text text, const char *prefix, size_t count) {
  return text.count >= count && !strncasecmp(text.start, prefix, count);
}

static struct text trimmed(struct text text, size_t from) {
  text.start += from;
  text.count -= from;
  while (text.count && (*text.start == ' ' || *text.start == '\t')) text.start++, text.count--;
  while (text.count && (text.start[text.count - 1] == ' ' || text.start[text.count - 1] == '\t')) text.count--;
  return text;
}

static bool parse_length(struct text digits, size_t *length) {
  if (digits.count == 0 || digits.count > 9) return false;
  *length = 0;
  for (size_t index = 0; index < digits.count; index++) {
    if (digits.start[index] < '0' || digits.start[index] > '9') return false;
    *length = *length * 10 + (size_t)(digits.start[index] - '0');
  }
  return true;
}

/// Returns false for a field that this server does not support.
static bool read_field(struct text line, struct request *request, size_t *length) {
#define IS(name) has_prefix(line, name, sizeof(name) - 1)
  switch (line.start[0] | 0x20) {
  case 'a':
    if (IS("authorization:")) {
      request->token = trimmed(line, sizeof("authorization:") - 1);
      if (!has_prefix(request->token, "bearer ", 7)) return false;
      request->token = trimmed(request->token, 7);
    }
    return true;
  case 'c':
    if (IS("content-length:")) return parse_length(trimmed(line, sizeof("content-length:") - 1), length);
    if (IS("connection:")) {
      struct text value = trimmed(line, sizeof("connection:") - 1);
      request->closes = value.count == 5 && has_prefix(value, "close", 5);
    }
    return true;
  case 't': return !IS("transfer-encoding:");
  default: return true;
  }
#undef IS
}

ssize_t request_parse(const char *bytes, size_t count, struct request *request) {
  static const char graphql[] = "POST /graphql HTTP/1.1";
  const char *at = bytes, *end = bytes + count;
  size_t length = 0;
  *request = (struct request){0};
  for (bool is_first = true;; is_first = false) {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    if (!line_end) return 0;
    struct text line = {at, (size_t)(line_end - at)};
    if (line.count == 0 || line.start[line.count - 1] != '\r') return -1;
    line.count--;
    at = line_end + 1;
    if (is_first) {
      request->is_graphql = line.count == sizeof graphql - 1 && !memcmp(line.start, graphql, line.count);
      if (!request->is_graphql && (line.count < 9 || memcmp(line.start + line.count - 9, " HTTP/1.1", 9))) return -1;
    } else if (line.count == 0) {
      break;
    } else if (!read_field(line, request, &length)) {
      return -1;
    }
  }
  if ((size_t)(end - at) < length) return 0;
  request->body = (struct text){at, length};
  return (ssize_t)(at + length - bytes);
}
