// The floor of telling many sockets of an event: accepts COUNT connections, and for each byte on the one after them writes
// the same SIZE bytes to all.
//
//     live-floor COUNT SIZE

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int fail(const char *what) {
  perror(what);
  return 1;
}

int main(int count_of_arguments, char **arguments) {
  if (count_of_arguments != 3) return 2;
  int count = atoi(arguments[1]);
  size_t size = (size_t)atoi(arguments[2]);
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listening, (struct sockaddr *)&address, length) || listen(listening, 4096)) return fail("listen");
  getsockname(listening, (struct sockaddr *)&address, &length);
  printf("http://127.0.0.1:%d/graphql\n", ntohs(address.sin_port));
  fflush(stdout);
  int *connections = calloc((size_t)count + 1, sizeof *connections);
  char *bytes = malloc(size);
  if (!connections || !bytes) return fail("memory");
  memset(bytes, 'x', size);
  for (int i = 0; i <= count; i++) {
    connections[i] = accept(listening, NULL, NULL);
    if (connections[i] < 0) return fail("accept");
    int on = 1;
    setsockopt(connections[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  char byte;
  while (read(connections[count], &byte, 1) == 1) {
    for (int i = 0; i < count; i++) {
      if (write(connections[i], bytes, size) != (ssize_t)size) return fail("write");
    }
  }
  return 0;
}
