#define _GNU_SOURCE
#include "CPictureScaling.h"

#include "Confinement.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is used of libvips 8.9 and newer, from its reference. Images are opaque; a boolean is an int. */
typedef struct VipsImage VipsImage;

static struct {
  int (*init)(const char *);
  void (*concurrency_set)(int);
  int (*thumbnail_buffer)(void *, size_t, VipsImage **, int, ...);
  int (*jpegsave_buffer)(VipsImage *, void **, size_t *, ...);
  int (*webpsave_buffer)(VipsImage *, void **, size_t *, ...);
  int (*colourspace)(VipsImage *, VipsImage **, int, ...);
  int (*cast_uchar)(VipsImage *, VipsImage **, ...);
  int (*addalpha)(VipsImage *, VipsImage **, ...);
  int (*icc_transform)(VipsImage *, VipsImage **, const char *, ...);
  int (*copy)(VipsImage *, VipsImage **, ...);
  int (*image_remove)(VipsImage *, const char *);
  unsigned long (*image_get_typeof)(const VipsImage *, const char *);
  int (*image_hasalpha)(VipsImage *);
  int (*image_get_width)(const VipsImage *);
  int (*image_get_height)(const VipsImage *);
  int (*image_get_bands)(const VipsImage *);
  void *(*image_write_to_memory)(VipsImage *, size_t *);
} vips;

enum { vips_size_down = 2, vips_interpretation_srgb = 22, vips_fail_on_error = 2 };

static int load_library(void) {
  /* No code is generated at run time, large pictures stay in memory, and threads do not reserve memory of their own. */
  if (setenv("VIPS_NOVECTOR", "1", 1) != 0 || setenv("VIPS_DISC_THRESHOLD", "100g", 1) != 0) return 0;
  (void)mallopt(M_ARENA_MAX, 1);
  void *library = dlopen("libvips.so.42", RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) return 0;
#define FIND(name) \
  if ((vips.name = (__typeof__(vips.name))dlsym(library, "vips_" #name)) == NULL) return 0;
  FIND(init)
  FIND(concurrency_set)
  FIND(thumbnail_buffer)
  FIND(jpegsave_buffer)
  FIND(webpsave_buffer)
  FIND(colourspace)
  FIND(cast_uchar)
  FIND(addalpha)
  FIND(icc_transform)
  FIND(copy)
  FIND(image_remove)
  FIND(image_get_typeof)
  FIND(image_hasalpha)
  FIND(image_get_width)
  FIND(image_get_height)
  FIND(image_get_bands)
  FIND(image_write_to_memory)
#undef FIND
  if (vips.init("hearth") != 0) return 0;
  vips.concurrency_set(1);
  /* Formats whose decoders were not tested against hostile files. Since 8.13. */
  void (*block_untrusted)(int) = (void (*)(int))dlsym(library, "vips_block_untrusted_set");
  if (block_untrusted != NULL) block_untrusted(1);
  /* libheif loads its decoders when it is first used, which is too late then. */
  void *heif = dlopen("libheif.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (heif != NULL) {
    void *initialize = dlsym(heif, "heif_init");
    if (initialize != NULL) ((void (*)(void *))initialize)(NULL);
  }
  return 1;
}

static int write_all(const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0) {
    ssize_t written = write(STDOUT_FILENO, next, count);
    if (written <= 0) return 0;
    next += written;
    count -= (size_t)written;
  }
  return 1;
}

static picture_scaling_status write_pixels(VipsImage *image) {
  VipsImage *complete = image, *bytes;
  if (!vips.image_hasalpha(image) && vips.addalpha(image, &complete, NULL) != 0) return PICTURE_UNREADABLE;
  if (vips.cast_uchar(complete, &bytes, NULL) != 0) return PICTURE_UNREADABLE;
  int width = vips.image_get_width(bytes), height = vips.image_get_height(bytes);
  if (vips.image_get_bands(bytes) != 4 || width > 255 || height > 255) return PICTURE_UNREADABLE;
  size_t count;
  void *pixels = vips.image_write_to_memory(bytes, &count);
  if (pixels == NULL) return PICTURE_UNREADABLE;
  unsigned char size[2] = {(unsigned char)width, (unsigned char)height};
  return write_all(size, sizeof size) && write_all(pixels, count) ? PICTURE_SCALED : PICTURE_NOT_WRITTEN;
}

static picture_scaling_status write_file(VipsImage *image, picture_output output) {
  void *file = NULL;
  size_t count = 0;
  /* Without metadata. `strip` has another name since 8.15, and is still accepted. */
  int failure = output == PICTURE_OUTPUT_WEBP
    ? vips.webpsave_buffer(image, &file, &count, "Q", 80, "strip", 1, NULL)
    : vips.jpegsave_buffer(image, &file, &count, "Q", 80, "strip", 1, "optimize_coding", 1, NULL);
  if (failure != 0) return PICTURE_UNREADABLE;
  return write_all(file, count) ? PICTURE_SCALED : PICTURE_NOT_WRITTEN;
}

/* Gives the picture the colours of sRGB and no profile. A picture has these already, or is in gray or CMYK, if it has no
 * profile, or one that does not apply to it: some programs keep that of the original when they make a picture gray. */
static int convert_colours(VipsImage **image) {
  static const char profile[] = "icc-profile-data";
  VipsImage *source = *image, *converted = source, *plain;
  int applies = vips.image_get_typeof(source, profile) != 0
    && vips.icc_transform(source, &converted, "srgb", "embedded", 1, "black_point_compensation", 1, NULL) == 0;
  if (vips.copy(applies ? converted : source, &plain, NULL) != 0) return 0;
  (void)vips.image_remove(plain, profile);
  *image = plain;
  return applies || vips.colourspace(plain, image, vips_interpretation_srgb, NULL) == 0;
}

picture_scaling_status picture_scale(int32_t edge, picture_output output, uint64_t memory, uint64_t seconds) {
  if (!limit_process(memory, seconds)) return PICTURE_NOT_CONFINED;
  if (!load_library()) return PICTURE_LIBRARY_MISSING;
  if (!filter_system_calls()) return PICTURE_NOT_CONFINED;
  if (output == PICTURE_OUTPUT_NONE) return PICTURE_SCALED;
  off_t count = lseek(STDIN_FILENO, 0, SEEK_END);
  if (count <= 0) return PICTURE_UNREADABLE;
  void *file = mmap(NULL, (size_t)count, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0);
  if (file == MAP_FAILED) return PICTURE_UNREADABLE;
  VipsImage *image;
  int failure = vips.thumbnail_buffer(
    file, (size_t)count, &image, edge, "height", edge, "size", vips_size_down, "fail_on", vips_fail_on_error, NULL
  );
  if (failure != 0 || !convert_colours(&image)) return PICTURE_UNREADABLE;
  return output == PICTURE_OUTPUT_RGBA ? write_pixels(image) : write_file(image, output);
}

int32_t picture_pipe(int32_t ends[2]) { return pipe2(ends, O_CLOEXEC); }

int32_t picture_memory_file(void) { return memfd_create("picture", MFD_CLOEXEC); }
