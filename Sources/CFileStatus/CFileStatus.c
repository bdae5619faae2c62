#include "CFileStatus.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

int file_status_of(const char *path, file_status *status) {
  struct stat found;
  if (stat(path, &found) != 0) return errno;
  status->device = (uint64_t)found.st_dev;
  status->inode = (uint64_t)found.st_ino;
  status->size = (int64_t)found.st_size;
  status->modified = (int64_t)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;
  status->changed = (int64_t)found.st_ctim.tv_sec * 1000000000 + found.st_ctim.tv_nsec;
  status->mode = (uint32_t)(found.st_mode & 07777);
  status->owner = (uint32_t)found.st_uid;
  return 0;
}

int file_status_free_bytes(const char *path, uint64_t *bytes) {
  struct statvfs found;
  if (statvfs(path, &found) != 0) return errno;
  *bytes = (uint64_t)found.f_bavail * (uint64_t)found.f_frsize;
  return 0;
}
