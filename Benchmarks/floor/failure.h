#ifndef FLOOR_FAILURE_H
#define FLOOR_FAILURE_H

/// Ends the program with a sentence. For what cannot be helped: a start with wrong options, a database that is not ours.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
