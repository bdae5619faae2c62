#pragma once
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <uv.h>

// The C library declares these only for _GNU_SOURCE, which Swift's importer does not define.
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
