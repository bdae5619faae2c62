/* A libvips that an attacker has taken over: it tries what a decoder does not need, and writes the names of all attempts
 * that succeed. Built by ScalingProcessTests as libvips.so.42. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static char found[1024];
static void *compute(void *value) { return value; }

static void attempt(const char *name, long result) {
  if (result >= 0) strcat(strcat(found, " "), name);
}

int vips_init(const char *name) { return name == NULL; }
void vips_concurrency_set(int count) { (void)count; }

int vips_thumbnail_buffer(void *file, size_t count, void **image, int width, ...) {
  (void)file, (void)count, (void)width;
  *image = found;
  const char *mode = getenv("HEARTH_TEST_MODE");
  if (mode != NULL && strcmp(mode, "spin") == 0) for (;;) __asm__ volatile("");
  if (mode != NULL && strcmp(mode, "sleep") == 0) for (;;) usleep(1000000);
  if (mode != NULL && strcmp(mode, "crash") == 0) *(volatile int *)8 = 0;
  strcpy(found, "succeeded:");
  /* A write would end the process otherwise, by the limit of file sizes. */
  signal(SIGXFSZ, SIG_IGN);
  pthread_t thread;
  attempt("thread", pthread_create(&thread, NULL, compute, NULL) == 0 && pthread_join(thread, NULL) == 0 ? 0 : -1);
  attempt("open", open("/etc/passwd", O_RDONLY));
  attempt("openat", syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY));
  attempt("create", open("/tmp/hearth-test-of-confinement", O_WRONLY | O_CREAT, 0600));
  attempt("unlink", unlink("/tmp/hearth-test-of-confinement"));
  attempt("socket", socket(AF_INET, SOCK_STREAM, 0));
  attempt("unix", socket(AF_UNIX, SOCK_STREAM, 0));
  attempt("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  char *arguments[] = {"true", NULL};
  attempt("exec", execv("/bin/true", arguments));
  attempt("kill", kill(getpid(), 0));
  attempt("tgkill", syscall(SYS_tgkill, getpid(), getpid(), 0));
  attempt("ptrace", ptrace(PTRACE_TRACEME, 0, 0, 0));
  attempt("memory", mmap(NULL, 2ul << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  attempt("code", mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
  attempt("limit", setrlimit(RLIMIT_AS, &more));
  attempt("descriptor", fcntl(9, F_GETFD));
  attempt("write to the picture", write(0, "x", 1));
  attempt("environment", getenv("HEARTH_SMTP_SECRET") == NULL ? -1 : 0);
  return 0;
}

int vips_jpegsave_buffer(void *image, void **buffer, size_t *count, ...) {
  *buffer = image;
  *count = strlen(found);
  return 0;
}

int vips_webpsave_buffer(void *image, void **buffer, size_t *count, ...) {
  return vips_jpegsave_buffer(image, buffer, count);
}
int vips_colourspace(void *image, void **result, int space, ...) { return (void)space, *result = image, 0; }
int vips_cast_uchar(void *image, void **result, ...) { return *result = image, 0; }
int vips_addalpha(void *image, void **result, ...) { return *result = image, 0; }
int vips_icc_transform(void *image, void **result, const char *profile, ...) { return (void)profile, *result = image, 0; }
int vips_copy(void *image, void **result, ...) { return *result = image, 0; }
int vips_image_remove(void *image, const char *name) { return image != NULL && name != NULL; }
unsigned long vips_image_get_typeof(const void *image, const char *name) { return image == NULL || name == NULL; }
int vips_image_hasalpha(void *image) { return image != NULL; }
int vips_image_get_width(const void *image) { return image != NULL; }
int vips_image_get_height(const void *image) { return image != NULL; }
int vips_image_get_bands(const void *image) { return image != NULL ? 4 : 0; }
void *vips_image_write_to_memory(void *image, size_t *count) { return *count = 4, image; }
