#include "reader.h"

#include "database.h"
#include "identifier.h"
#include "json.h"

void reader_open(struct reader *reader, const char *path) {
  sqlite3 *connection = database_open(path, false);
  reader->begin = database_prepare(connection, "BEGIN");
  reader->commit = database_prepare(connection, "COMMIT");
  reader->chore = database_prepare(connection, "SELECT name, priority FROM chore WHERE family_id = ?1 AND id = ?2");
  dashboard_prepare(&reader->dashboard, connection);
}

void reader_answer_chore(struct reader *reader, const struct session *session, int64_t key, struct bytes *output) {
  // One statement is a transaction by itself.
  sqlite3_stmt *chore = reader->chore;
  sqlite3_bind_int64(chore, 1, session->family);
  sqlite3_bind_int64(chore, 2, key);
  if (key_kind(key) == KIND_CHORE && sqlite3_step(chore) == SQLITE_ROW) {
    struct identifier identifier;
    identifiers_encode(&key, 1, &identifier);
    bytes_literal(output, "{\"data\":{\"node\":{\"id\":\"");
    bytes_append(output, identifier.text, IDENTIFIER_LENGTH);
    bytes_literal(output, "\",\"name\":");
    json_column(output, chore, 0);
    bytes_literal(output, ",\"priority\":");
    json_integer(output, sqlite3_column_int64(chore, 1));
    bytes_literal(output, "}}}");
  } else {
    bytes_literal(output, "{\"data\":{\"node\":null}}");
  }
  sqlite3_reset(chore);
}

void reader_answer_dashboard(struct reader *reader, const struct session *session, int64_t key, struct bytes *output) {
  // Objects that the viewer cannot see are treated as missing.
  bool found = key == session->family;
  if (found) {
    database_run(reader->begin);
    found = dashboard_load(&reader->dashboard, key);
    database_run(reader->commit);
  }
  if (found)
    dashboard_write(&reader->dashboard, output);
  else
    bytes_literal(output, "{\"data\":{\"family\":null}}");
}
