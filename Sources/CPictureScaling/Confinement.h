#pragma once
#include <stdint.h>

/* Limits memory, processor time and files, closes all descriptors but the first three, and gives up new privileges.
 * Returns 0 if the system does not allow it. */
int limit_process(uint64_t memory, uint64_t seconds);

/* From then on, every system call fails that is not needed for computing with several threads, reading standard input
 * and writing standard output. Returns 0 if the system has no such filters. */
int filter_system_calls(void);
