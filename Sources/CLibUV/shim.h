#pragma once
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <uv.h>

// The C library declares this only for _GNU_SOURCE, which Swift's importer does not define.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
