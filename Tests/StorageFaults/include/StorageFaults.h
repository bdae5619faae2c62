#pragma once
#include <stdint.h>

/* A SQLite VFS named "faults" over the default one, for tests. Every read and write goes to the real file; beside each
 * file it keeps what a disk would have after a power failure. All of this is process-wide: one test at a time. */

#define FAULT_READ 0
#define FAULT_WRITE 1
#define FAULT_SYNC 2
#define FAULT_TRUNCATE 3
/* A write to a database file, which is a FAULT_WRITE too. */
#define FAULT_DATABASE_WRITE 4
#define FAULT_OPERATIONS 5

/* Registers the VFS, once. Returns a result code of SQLite. */
int faults_register(void);

/* Forgets all files and faults. The VFS must have no file open. */
void faults_reset(uint64_t seed);

/* The operation number `after` (from 0) of this kind, and the `count - 1` after it, fail with `result`. A failing write
 * first writes part of its bytes. A failing sync drops what was written since the last one, as Linux does: a later sync
 * reports success and does not write it. */
void faults_fail(int operation, int64_t after, int64_t count, int result);

/* Files may grow by this many bytes more; then writes past their end fail as on a full disk. Negative: no limit. */
void faults_limit_growth(int64_t bytes);

/* Syncs report success and do nothing from the sync number `after` (from 0) on; negative: syncs are honest. */
void faults_lie_from_sync(int64_t after);

/* Ends all faults that were asked for; what was lost stays lost. */
void faults_clear(void);

/* The power fails: every file becomes what the disk has of it, with each sector of 512 bytes that was written and not
 * synced there or not, by the seed; where a sync has lied, none of them. From then on each operation fails until `faults_reset`. */
void faults_fail_power(void);

/* How many operations of the kind there were since the last reset, and how many of all kinds failed on purpose. */
int64_t faults_count(int operation);
int64_t faults_injected(void);
