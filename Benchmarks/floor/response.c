#include "response.h"

#include <time.h>

// The length is a field of six characters, padded with blanks (allowed by RFC 9112, section 5.1), so that the body is written
// to its final location.
#define HEAD                                                                                                           \
  "HTTP/1.1 200 OK\r\nContent-Type: application/graphql-response+json; charset=utf-8\r\nContent-Length:       "

size_t response_begin(struct bytes *output, const char date[static 30]) {
  bytes_literal(output, HEAD);
  size_t head = output->count;
  bytes_literal(output, "\r\nDate: ");
  bytes_append(output, date, 29);
  bytes_literal(output, "\r\n\r\n");
  return head;
}

void response_end(struct bytes *output, size_t head) {
  size_t length = output->count - head - (sizeof("\r\nDate: \r\n\r\n") - 1 + 29);
  char *digit = output->start + head;
  do *--digit = (char)('0' + length % 10);
  while (length /= 10);
}

void response_refuse(struct bytes *output, const char *status) {
  bytes_literal(output, "HTTP/1.1 ");
  bytes_append(output, status, strlen(status));
  bytes_literal(output, "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

void response_write_date(char date[static 30]) {
  time_t now = time(NULL);
  struct tm parts;
  gmtime_r(&now, &parts);
  strftime(date, 30, "%a, %d %b %Y %H:%M:%S GMT", &parts);
}
