#include "CAllocator.h"

#include <malloc.h>

void allocator_keep_freed(int kept, int size_of_own_pages) {
#ifdef __GLIBC__
  (void)mallopt(M_TRIM_THRESHOLD, kept);
  (void)mallopt(M_MMAP_THRESHOLD, size_of_own_pages);
#else
  (void)kept;
  (void)size_of_own_pages;
#endif
}
