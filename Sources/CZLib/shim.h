#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <stddef.h>
#include <zlib.h>

/// Compresses `count` bytes to `to`, which has room for `room`. Returns the number of bytes written, or 0 if they do not fit.
/// `deflateInit2` is a macro, which Swift does not import.
static inline size_t czlib_gzip(const void *from, size_t count, void *to, size_t room, int level) {
  z_stream stream = {0};
  const int window_and_gzip_header = 15 + 16;
  if (count > (uInt)-1 || room > (uInt)-1) return 0;
  if (deflateInit2(&stream, level, Z_DEFLATED, window_and_gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (Bytef *)from;
  stream.avail_in = (uInt)count;
  stream.next_out = (Bytef *)to;
  stream.avail_out = (uInt)room;
  const int result = deflate(&stream, Z_FINISH);
  const size_t written = stream.total_out;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? written : 0;
}

#endif
