#ifndef FLOOR_DATABASE_H
#define FLOOR_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/// A connection with the settings of the server's. Confined to one thread.
sqlite3 *database_open(const char *path, bool writes);

/// Prepares a statement for the life of the connection.
sqlite3_stmt *database_prepare(sqlite3 *connection, const char *sql);

/// Runs a statement without rows. Returns false if it fails.
bool database_run(sqlite3_stmt *statement);

/// Reads the key with which identifiers are enciphered.
void database_read_identifier_key(const char *path, unsigned char key[16]);

#endif
