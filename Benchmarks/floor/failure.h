#ifndef FLOOR_FAILURE_H
#define FLOOR_FAILURE_H

/// Ends the program with a message, for unrecoverable errors: invalid options, a foreign database.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
