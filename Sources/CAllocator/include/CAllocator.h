#pragma once

/* Sets how much freed memory at the end of a thread's heap `malloc` keeps instead of returning it to the kernel, and the
 * size from which allocations are returned at once because they have pages of their own. Both are in bytes, at most 32 MiB
 * for the second. Does nothing with another C library than glibc. */
void allocator_keep_freed(int kept, int size_of_own_pages);
