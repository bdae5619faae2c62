#include "connection.h"

#include "answer.h"
#include "request.h"
#include "response.h"

/// The size of the input buffer; longer requests are rejected.
enum { INPUT = 32 * 1024 };

struct connection {
  uv_tcp_t tcp;
  struct loop *loop;
  /// The received bytes. Those from `used` on are not answered yet.
  size_t used, count;
  /// While one of these waits, no request is answered: responses are sent in the order of the requests.
  bool waits_for_writer, waits_for_socket;
  /// The mutation is complete, but earlier responses are not sent yet.
  bool write_is_back;
  bool reads, closes, has_closed;
  /// The bytes that the socket did not accept immediately.
  uv_write_t sending;
  char *unsent;
  /// The pending mutation, and the length of its request.
  struct write write;
  size_t write_length;
  char input[INPUT];
};

static void answer_requests(struct connection *connection);
static void flush(struct connection *connection);

// MARK: Life

static void free_if_done(struct connection *connection) {
  if (!connection->has_closed || (connection->waits_for_writer && !connection->write_is_back)) return;
  free(connection->unsent);
  free(connection);
}

static void on_closed(uv_handle_t *handle) {
  struct connection *connection = handle->data;
  connection->has_closed = true;
  free_if_done(connection);
}

static void close_connection(struct connection *connection) {
  if (!uv_is_closing((uv_handle_t *)&connection->tcp)) uv_close((uv_handle_t *)&connection->tcp, on_closed);
}

// MARK: Reading

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)suggested;
  struct connection *connection = handle->data;
  *buffer = uv_buf_init(connection->input + connection->count, (unsigned)(INPUT - connection->count));
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  (void)buffer;
  struct connection *connection = stream->data;
  bool is_waiting = connection->waits_for_writer || connection->waits_for_socket;
  if (count > 0) {
    connection->count += (size_t)count;
    if (is_waiting) return;
    connection->loop->output.count = 0;
    answer_requests(connection);
    flush(connection);
  } else if (count == UV_ENOBUFS && is_waiting) {
    uv_read_stop(stream);
    connection->reads = false;
  } else if (count < 0) {
    close_connection(connection);
  }
}

void connection_accept(struct loop *loop) {
  struct connection *connection = malloc(sizeof *connection);
  if (!connection) return;
  memset(connection, 0, offsetof(struct connection, input));
  connection->loop = loop;
  uv_tcp_init(&loop->uv, &connection->tcp);
  connection->tcp.data = connection;
  uv_stream_t *stream = (uv_stream_t *)&connection->tcp;
  if (uv_accept((uv_stream_t *)&loop->listener, stream)) {
    close_connection(connection);
    return;
  }
  uv_tcp_nodelay(&connection->tcp, 1);
  connection->reads = true;
  uv_read_start(stream, on_allocate, on_read);
}

// MARK: Answering

/// Processes the received requests, until one must wait. Writes to the loop's output.
static void answer_requests(struct connection *connection) {
  struct bytes *output = &connection->loop->output;
  while (!connection->waits_for_writer && !connection->closes && connection->used < connection->count) {
    struct request request;
    ssize_t length =
        request_parse(connection->input + connection->used, connection->count - connection->used, &request);
    if (length == 0) {
      if (connection->used > 0 || connection->count < INPUT) break;
      response_refuse(output, "413 Content Too Large");
      connection->closes = true;
      break;
    }
    enum answer answer = ANSWER_REFUSED;
    if (length < 0)
      response_refuse(output, "400 Bad Request");
    else
      answer = answer_request(connection->loop, &request, &connection->write);
    if (answer == ANSWER_LATER) {
      connection->waits_for_writer = true;
      connection->closes = request.closes;
      connection->write_length = (size_t)length;
      connection->write.connection = connection;
      connection->write.returns = &connection->loop->returns;
      writer_append(&connection->write);
    } else if (answer == ANSWER_REFUSED) {
      connection->closes = true;
    } else {
      connection->used += (size_t)length;
      connection->closes = request.closes;
    }
  }
  // The mutation points into its request, which must not move until it is complete.
  if (connection->waits_for_writer || connection->used == 0) return;
  connection->count -= connection->used;
  memmove(connection->input, connection->input + connection->used, connection->count);
  connection->used = 0;
}

static void answer_mutation(struct connection *connection) {
  connection->waits_for_writer = connection->write_is_back = false;
  connection->loop->output.count = 0;
  answer_write(connection->loop, &connection->write);
  connection->used += connection->write_length;
  answer_requests(connection);
  flush(connection);
}

void connection_write_returned(struct connection *connection) {
  connection->write_is_back = true;
  if (uv_is_closing((uv_handle_t *)&connection->tcp))
    free_if_done(connection);
  else if (!connection->waits_for_socket)
    answer_mutation(connection);
}

// MARK: Writing

static void on_sent(uv_write_t *sending, int status) {
  struct connection *connection = sending->data;
  free(connection->unsent);
  connection->unsent = NULL;
  connection->waits_for_socket = false;
  if (status < 0) {
    close_connection(connection);
  } else if (connection->write_is_back) {
    answer_mutation(connection);
  } else {
    connection->loop->output.count = 0;
    answer_requests(connection);
    flush(connection);
  }
}

/// Sends the loop's output, which the socket nearly always accepts at once.
static void flush(struct connection *connection) {
  struct bytes *output = &connection->loop->output;
  uv_stream_t *stream = (uv_stream_t *)&connection->tcp;
  if (output->count > 0) {
    uv_buf_t buffer = uv_buf_init(output->start, (unsigned)output->count);
    int sent = uv_try_write(stream, &buffer, 1);
    if (sent < 0 && sent != UV_EAGAIN) {
      close_connection(connection);
      return;
    }
    size_t rest = output->count - (size_t)(sent > 0 ? sent : 0);
    if (rest > 0) {
      connection->unsent = malloc(rest);
      memcpy(connection->unsent, output->start + output->count - rest, rest);
      buffer = uv_buf_init(connection->unsent, (unsigned)rest);
      connection->sending.data = connection;
      connection->waits_for_socket = true;
      uv_write(&connection->sending, stream, &buffer, 1, on_sent);
      return;
    }
  }
  if (connection->closes && !connection->waits_for_writer) {
    close_connection(connection);
  } else if (!connection->reads) {
    connection->reads = true;
    uv_read_start(stream, on_allocate, on_read);
  }
}
