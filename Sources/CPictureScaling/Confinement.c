#define _GNU_SOURCE
#include "Confinement.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int limit(int resource, uint64_t value) {
  struct rlimit both = {.rlim_cur = (rlim_t)value, .rlim_max = (rlim_t)value};
  return setrlimit((__rlimit_resource_t)resource, &both) == 0;
}

int limit_process(uint64_t memory, uint64_t seconds) {
  /* The server's death ends this process, too. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
  /* Other processes of the user cannot look into it, and no memory is written to disk. */
  if (prctl(PR_SET_DUMPABLE, 0) != 0 || !limit(RLIMIT_CORE, 0)) return 0;
  if (!limit(RLIMIT_AS, memory) || !limit(RLIMIT_CPU, seconds) || !limit(RLIMIT_FSIZE, 0)) return 0;
  /* After the server's threads. */
  (void)setpriority(PRIO_PROCESS, 0, 10);
  for (int descriptor = (int)sysconf(_SC_OPEN_MAX) - 1; descriptor > STDERR_FILENO; descriptor--) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0) == 0) break;
#endif
    (void)close(descriptor);
  }
  return 1;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
/* The low half of an argument. Both architectures are little-endian. */
#define LOAD_ARGUMENT(number) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + (number) * sizeof(uint64_t))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define DENY(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), RETURN(SECCOMP_RET_ALLOW)
/* Allows the call if an argument has one of the bits, or if it has none of them. */
#define ALLOW_WITH(call, argument, bits) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD_ARGUMENT(argument), \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), RETURN(SECCOMP_RET_ALLOW), DENY(EPERM)
#define ALLOW_WITHOUT(call, argument, bits) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD_ARGUMENT(argument), \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), RETURN(SECCOMP_RET_ALLOW), DENY(EPERM)

int filter_system_calls(void) {
#if defined(ARCHITECTURE) && defined(SYS_seccomp)
  struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    ALLOW(read), ALLOW(write), ALLOW(writev), ALLOW(lseek), ALLOW(close), ALLOW(fstat),
    ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise),
    /* No code that was not loaded before. */
    ALLOW_WITHOUT(mmap, 2, PROT_EXEC), ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
    /* Threads, but no processes. The C library uses `clone` where there is no `clone3`, whose flags a filter cannot see. */
    ALLOW_WITH(clone, 0, CLONE_THREAD),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1), DENY(ENOSYS),
    ALLOW(futex), ALLOW(set_robust_list), ALLOW(rseq), ALLOW(membarrier), ALLOW(sched_yield), ALLOW(sched_getaffinity),
    ALLOW(gettid), ALLOW(getpid), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack),
    ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday),
    ALLOW(getrandom), ALLOW(getrusage), ALLOW(sysinfo), ALLOW(restart_syscall), ALLOW(exit), ALLOW(exit_group),
    DENY(EPERM),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
  /* For the threads that libvips may have started, too. */
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
#else
  return 0;
#endif
}
