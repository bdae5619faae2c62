import Foundation
import Glibc
import Storage
import TestSupport
import Testing

@Suite("The data folder on a read-only file system", .timeLimit(.minutes(20)))
struct ReadOnlyFolderTests {
  private static let canMount =
    (try? ChildProcess.run(["unshare", "--mount", "true"], errors: .discarded).end) == .exited(0)

  /// Runs a command while a folder is on a read-only file system.
  private func run(_ arguments: [String], withReadOnly folder: String) async throws -> Program.Result {
    let script = #"mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" "$1" && shift && exec "$@""#
    let words = ["--mount", "sh", "-c", script, "sh", folder, try Program.executable().path] + arguments
    return try await Program(words, executable: "/usr/bin/unshare").result()
  }

  @Test(.enabled(if: canMount, "Only root can mount file systems."))
  func `is checked and backed up`() async throws {
    let (directory, copies) = (try TemporaryDirectory(), try TemporaryDirectory())
    let folder = directory.path + "/100% #1?"
    #expect(try await Program.run("seed", "--data", folder, "--families", "1").status == 0)
    for log in [nil, Data()] {
      if let log { try log.write(to: URL(fileURLWithPath: folder + "/hearth.db-wal")) }
      let check = try await run(["check", "--data", folder], withReadOnly: folder)
      #expect(check.status == 0 && check.output == "The data is sound.\n", "\(check.errors)")
      let copy = "\(copies.path)/\(log == nil ? "first" : "second").db"
      let backup = try await run(["backup", "--data", folder, copy], withReadOnly: folder)
      #expect(backup.status == 0 && backup.errors.contains("its time could not be noted"), "\(backup.errors)")
      #expect(try Database.integrityCheck(of: copy) == [])
    }
    try FileManager.default.removeItem(atPath: folder + "/hearth.db-wal")
    let server = try Program(["serve", "--port", "0", "--data", folder])
    _ = try await Household(port: try await server.port())
    server.signal(SIGKILL)
    _ = try await server.result()
    let whole = try await run(["check", "--data", folder], withReadOnly: folder)
    #expect(whole.status == 0 && whole.output == "The data is sound.\n", "\(whole.errors)")
    try FileManager.default.removeItem(atPath: folder + "/hearth.db-shm")
    let check = try await run(["check", "--data", folder], withReadOnly: folder)
    #expect(check.status == 1 && check.errors.contains("its write-ahead log cannot be read without"), "\(check.errors)")
  }
}
