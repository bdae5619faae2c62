#include "loop.h"

#include "connection.h"
#include "failure.h"
#include "response.h"

#include <arpa/inet.h>
#include <stdatomic.h>
#include <sys/socket.h>

static void on_connection(uv_stream_t *listener, int status) {
  if (status == 0) connection_accept(listener->data);
}

static void on_writes_returned(uv_async_t *wake) {
  struct loop *loop = wake->data;
  struct write *write = atomic_exchange_explicit(&loop->returns.last, NULL, memory_order_acquire);
  while (write) {
    struct write *next = write->next;
    connection_write_returned(write->connection);
    write = next;
  }
}

/// A socket that other loops may listen on too: the system hands out the connections.
static int make_socket(int *port) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(descriptor, (struct sockaddr *)&address, size) ||
      getsockname(descriptor, (struct sockaddr *)&address, &size))
    fail("cannot listen on port %d", *port);
  *port = ntohs(address.sin_port);
  return descriptor;
}

int loop_open(struct loop *loop, const char *database, int port) {
  reader_open(&loop->reader, database);
  loop->date_second = UINT64_MAX;
  uv_loop_init(&loop->uv);
  uv_async_init(&loop->uv, &loop->returns.wake, on_writes_returned);
  loop->returns.wake.data = loop;
  uv_tcp_init(&loop->uv, &loop->listener);
  loop->listener.data = loop;
  int descriptor = make_socket(&port);
  if (uv_tcp_open(&loop->listener, descriptor) || uv_listen((uv_stream_t *)&loop->listener, 1024, on_connection))
    fail("cannot listen on port %d", port);
  return port;
}

_Noreturn void loop_run(struct loop *loop) {
  for (;;) uv_run(&loop->uv, UV_RUN_DEFAULT);
}

const char *loop_date(struct loop *loop) {
  uint64_t second = uv_now(&loop->uv) / 1000;
  if (second != loop->date_second) {
    response_write_date(loop->date);
    loop->date_second = second;
  }
  return loop->date;
}
