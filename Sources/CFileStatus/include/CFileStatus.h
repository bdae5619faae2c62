#pragma once
#include <stdint.h>

/* The results of stat(2) and statvfs(2) as separate types: in whole-module builds the C library's `struct stat` belongs to
 * the C module that the compiler imported first. Each function returns 0 or an error number. */

typedef struct {
  uint64_t device;
  uint64_t inode;
  int64_t size;
  int64_t modified; /* nanoseconds since 1970 */
  int64_t changed;  /* the same, of the file's metadata */
  uint32_t mode;    /* the permission bits */
  uint32_t owner;
} file_status;

int file_status_of(const char *path, file_status *status);

/* Bytes that an unprivileged process can still write to the file system of `path`. */
int file_status_free_bytes(const char *path, uint64_t *bytes);
