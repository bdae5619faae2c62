#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <stdio.h>

static libpq_functions functions;

const libpq_functions *libpq_load(char *reason, size_t reason_size) {
  /* Never closed: libpq registers handlers with OpenSSL. */
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(reason, reason_size, "%s", dlerror());
    return NULL;
  }
#define LIBPQ_FIND(name) \
  if ((functions.name = (__typeof__(&name))dlsym(library, #name)) == NULL) { \
    snprintf(reason, reason_size, "it has no function %s", #name); \
    return NULL; \
  }
  LIBPQ_FUNCTIONS(LIBPQ_FIND)
#undef LIBPQ_FIND
  return &functions;
}
