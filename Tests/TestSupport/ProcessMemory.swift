import Foundation
import Glibc

/// The resident memory of this process, in bytes. For exit tests, in which nothing else allocates memory.
package enum ProcessMemory {
  /// Returns free memory to the system, and measures the peak from now on. Returns what is left.
  package static func reset() throws -> Int {
    // glibc's function is not in Swift's module of it.
    guard let trim = dlsym(nil, "malloc_trim") else { throw CocoaError(.featureUnsupported) }
    _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    return try bytes("VmRSS:")
  }

  /// The peak since the last `reset()`.
  package static func peak() throws -> Int { try bytes("VmHWM:") }

  private static func bytes(_ name: String) throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix(name) }),
      let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw CocoaError(.fileReadCorruptFile) }
    return kibibytes * 1024
  }
}
