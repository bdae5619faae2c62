import Glibc

/// The limit of the process on open files (`ulimit -n`). It counts all descriptors, those of connections too.
package enum DescriptorLimit {
  /// More than any server needs. Programs that this process starts inherit the limit, and some loop over it.
  private static let enough: rlim_t = 1 << 17

  private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

  /// Raises the limit as far as the process is allowed to (`ulimit -Hn`), if it is lower than any server needs.
  ///
  /// Shells and containers often start with 1,024, for programs that use `select`. The process must never run out of
  /// descriptors: libdispatch ends it when it cannot open a file of /proc.
  package static func raise() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    let raised = min(limit.rlim_max, enough)
    guard limit.rlim_cur < raised else { return }
    limit.rlim_cur = raised
    setrlimit(resource, &limit)
  }

  /// The number of descriptors that the process may have.
  package static var current: Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }

  /// The number of descriptors that are open, with the one that reads their list.
  package static var openCount: Int { FileCalls.names(in: "/proc/self/fd").count }
}
