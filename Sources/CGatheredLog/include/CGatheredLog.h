#pragma once

struct sqlite3;

/* A file system of SQLite (https://sqlite.org/vfs.html) that writes the write-ahead log in large pieces.
 *
 * SQLite writes each page of the log in two calls, the 24 bytes of its header and the page, although they follow each other
 * in the file. A new chore has six pages, and their twelve calls took a seventh of the processor time of its request. The
 * log's bytes are gathered here and written together, before they are synchronized or read. All other files are those of the
 * underlying file system.
 *
 * Only for a connection with `synchronous = FULL`: each of its commits synchronizes the log before another connection can
 * know of it. So what is gathered belongs to a transaction that is not committed, and an error means that it must be rolled
 * back. Call `gathered_log_forget_rollbacks` for the connection before its first transaction. */

/* Returns the name of the file system over another one; over the default one if `base` is NULL. Returns NULL if there is no
 * such file system or no memory. Can be called from any thread, again and again. */
const char *gathered_log_over(const char *base);

/* Forgets what is gathered of each transaction that is rolled back. Replaces the connection's rollback hook. */
void gathered_log_forget_rollbacks(struct sqlite3 *connection);
