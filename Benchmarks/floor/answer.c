#include "answer.h"

#include "identifier.h"
#include "json.h"
#include "response.h"

static enum answer refuse(struct bytes *output, const char *status) {
  response_refuse(output, status);
  return ANSWER_REFUSED;
}

enum answer answer_request(struct loop *loop, const struct request *request, struct write *write) {
  struct bytes *output = &loop->output;
  enum operation operation;
  struct text variables;
  if (!request->is_graphql) return refuse(output, "404 Not Found");
  if (!operation_recognise(request->body.start, request->body.count, &operation, &variables))
    return refuse(output, "400 Bad Request");

  if (operation == OPERATION_TYPENAME) {
    size_t head = response_begin(output, loop_date(loop));
    bytes_literal(output, "{\"data\":{\"__typename\":\"Query\"}}");
    response_end(output, head);
    return ANSWER_GIVEN;
  }

  const struct session *session =
      request->token.count ? session_find(request->token.start, request->token.count) : NULL;
  if (!session) return refuse(output, "401 Unauthorized");

  if (operation == OPERATION_ADD_CHORE) {
    if (!operation_read_add_chore(variables, &write->input)) return refuse(output, "400 Bad Request");
    write->session = *session;
    return ANSWER_LATER;
  }

  int64_t key;
  if (!operation_read_id(variables, &key)) return refuse(output, "400 Bad Request");
  size_t head = response_begin(output, loop_date(loop));
  if (operation == OPERATION_CHORE)
    reader_answer_chore(&loop->reader, session, key, output);
  else
    reader_answer_dashboard(&loop->reader, session, key, output);
  response_end(output, head);
  return ANSWER_GIVEN;
}

void answer_write(struct loop *loop, const struct write *write) {
  struct bytes *output = &loop->output;
  size_t head = response_begin(output, loop_date(loop));
  if (write->chore) {
    struct identifier identifier;
    identifiers_encode(&write->chore, 1, &identifier);
    bytes_literal(output, "{\"data\":{\"addChore\":{\"chore\":{\"id\":\"");
    bytes_append(output, identifier.text, IDENTIFIER_LENGTH);
    bytes_literal(output, "\",\"name\":");
    json_text(output, (const unsigned char *)write->input.name.start, write->input.name.count);
    bytes_literal(output, "},\"userErrors\":[]}}}");
  } else {
    bytes_literal(output, "{\"data\":null,\"errors\":[{\"message\":\"The chore was not stored.\"}]}");
  }
  response_end(output, head);
}
