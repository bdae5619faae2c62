#pragma once
#include <stdint.h>

/* What stat(2) and statvfs(2) say of a file, as types of our own: in whole-module builds the C library's `struct stat`
 * belongs to whichever C module showed it to the compiler first. Each call returns 0, or the error number. */

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

/* Bytes that an unprivileged process may still write to the file system of `path`. */
int file_status_free_bytes(const char *path, uint64_t *bytes);
