import Foundation
import Glibc

/// What the process uses of the machine.
struct ProcessUsage {
  let cpuSeconds: Double
  let residentBytes: Int
  let openFiles: Int

  init() {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    cpuSeconds = Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1_000_000
    // The second number is that of resident pages (proc(5)).
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    residentBytes = (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    openFiles = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }
}
