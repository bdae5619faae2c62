#pragma once
#include <stdint.h>

/* Scales one picture with libvips, in a process that does nothing else. libvips is loaded at run time, so the program does
 * not depend on it.
 *
 * The process confines itself before it looks at the picture: no new privileges, limits on memory, processor time and
 * files, and a filter of system calls that leaves computing, threads, standard input and standard output. It cannot open
 * files, use the network, start programs or signal other processes. */

typedef enum {
  PICTURE_OUTPUT_NONE = 0, /* only tries whether libvips can be used */
  PICTURE_OUTPUT_JPEG = 1,
  PICTURE_OUTPUT_WEBP = 2,
  PICTURE_OUTPUT_RGBA = 3, /* width and height as a byte each, and four bytes for each pixel */
} picture_output;

/* The exit status of the process. */
typedef enum {
  PICTURE_SCALED = 0,
  PICTURE_UNREADABLE = 10,      /* the picture is damaged, or exceeds the limits on memory */
  PICTURE_NOT_WRITTEN = 11,     /* the reader of standard output has gone */
  PICTURE_LIBRARY_MISSING = 12, /* libvips is not installed */
  PICTURE_NOT_CONFINED = 13,    /* the system does not accept the limits, so nothing was read */
} picture_scaling_status;

/* Reads a picture from standard input, which is a regular file, and writes it to standard output so that its longer side
 * has at most `edge` pixels. Smaller pictures keep their size. Returns the exit status.
 *
 * `memory` is in bytes of address space, `seconds` is processor time. Must be called by a process that has one thread. */
picture_scaling_status picture_scale(int32_t edge, picture_output output, uint64_t memory, uint64_t seconds);

/* pipe2(2) and memfd_create(2) without inheritance, which Swift does not see. They return -1 with `errno`. */
int32_t picture_pipe(int32_t ends[2]);
int32_t picture_memory_file(void);
