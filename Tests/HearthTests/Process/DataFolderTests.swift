import Foundation
import Glibc
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("The data folder", .timeLimit(.minutes(20)))
struct DataFolderTests {
  /// All files below a folder, such as `media/ab 700`.
  private func modes(in folder: String) throws -> [String: Int] {
    var modes: [String: Int] = [:]
    for name in try #require(FileManager.default.enumerator(atPath: folder)) {
      let path = try #require(name as? String)
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
      modes[path] = attributes[.posixPermissions] as? Int
    }
    return modes
  }

  private func expectPrivate(_ folder: String, without opened: Set<String> = []) throws {
    let modes = try modes(in: folder)
    #expect(!modes.isEmpty)
    for (path, mode) in modes where !opened.contains(path) {
      #expect(mode & 0o077 == 0, "\(path) has mode \(String(mode, radix: 8))")
    }
  }

  /// With the permissions of `mkdir`.
  private func openFolder() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    chmod(directory.path, 0o755)
    return directory
  }

  @Test func `is accessible to its owner only, including backups, and reports open permissions`() async throws {
    let directory = try openFolder()
    // With pictures; and a mail to who registers.
    let server = try Program.serve(directory, "--demo")
    let port = try await server.port()
    _ = try await Household(port: port, email: "else@example.com")
    try await waitUntil("The mail is in the outbox.") {
      (try? FileManager.default.contentsOfDirectory(atPath: directory.path + "/outbox"))?.isEmpty == false
    }
    try expectPrivate(directory.path)
    let paths = try modes(in: directory.path).keys
    for name in ["hearth.db", "hearth.db-wal", "hearth.db-shm", "hearth.db.state", "media", "outbox"] {
      #expect(paths.contains(name))
    }

    let copies = try openFolder()
    try FileManager.default.createDirectory(atPath: copies.path + "/media", withIntermediateDirectories: true)
    chmod(copies.path + "/media", 0o755)
    #expect(
      try await Program.run("backup", "--data", directory.path, copies.path + "/hearth.db").status == 0
    )
    try expectPrivate(copies.path)
    #expect(try modes(in: copies.path).keys.contains { $0.hasPrefix("media/") && $0.count > 60 })

    server.signal(SIGTERM)
    let result = try await server.result()
    #expect(result.status == 0)
    #expect(
      result.errors.contains(
        "Other users of this machine can read the data folder. Run: chmod 700 \(directory.path)"
      ),
      "\(result.errors)"
    )
  }

  @Test func `is closed to others where an older version or a copy has left it open`() async throws {
    let directory = try TemporaryDirectory()
    chmod(directory.path, 0o700)
    for isOpen in [false, true] {
      if isOpen {
        for name in ["hearth.db", "media", "hearth.db.state"] { chmod("\(directory.path)/\(name)", 0o755) }
      }
      let server = try Program.serve(directory)
      _ = try await server.port()
      try expectPrivate(directory.path)
      server.signal(SIGTERM)
      let result = try await server.result()
      #expect(result.status == 0)
      #expect(!result.errors.contains("read the data folder"))
      #expect(result.errors.contains("A part of the data was readable by other users") == isOpen, "\(result.errors)")
    }
  }

  @Test func `each of its files and folders is closed to others`() throws {
    let directory = try TemporaryDirectory()
    for file in DataFile.allCases {
      let path = file.path(in: directory.path)
      try Data().write(to: URL(fileURLWithPath: path))
      chmod(path, 0o644)
    }
    PrivateFiles.tighten(in: directory.path, log: TestServer.silentLog)
    #expect(try modes(in: directory.path).count == DataFile.allCases.count)
    try expectPrivate(directory.path)
  }

  @Test func `its files and folders are those of the guide's table`() throws {
    let rows = try Document("Documentation/operating.md").table(under: "The data folder")
    let documented = Set(rows.flatMap { Document.code(in: $0[0]) })
    // The guide describes the file of a PostgreSQL database below the table.
    let files = DataFile.allCases.filter { $0 != .postgreSQLMark }.map(\.rawValue)
    #expect(documented == Set(files + [ControlSocket.name]))
  }

  @Test func `a log that was deleted after a kill is reported by check, and accepted only on request`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let ada = try await Household(port: try await server.port())
    server.signal(SIGKILL)
    _ = try await server.result()
    try FileManager.default.removeItem(atPath: directory.path + "/hearth.db-wal")

    let check = try await Program.run("check", "--data", directory.path)
    #expect(check.status == 1)
    #expect(check.output.contains("hearth.db-wal is missing"), "\(check.output)")
    let rejected = try await Program.run("serve", "--port", "0", "--data", directory.path)
    #expect(rejected.status != 0 && !rejected.wasKilled && rejected.output.isEmpty)
    #expect(rejected.errors.contains("start with --accept-lost-log to continue without them."), "\(rejected.errors)")

    let accepting = try Program.serve(directory, "--accept-lost-log")
    let port = try await accepting.port()
    #expect(try await HTTPClient(port: port).get("/ready").status == 200)
    // It is lost indeed: her account is unknown.
    let family = try await Client(port: port, token: ada.parent.token).post("{ family { name } }")
    #expect(!family.codes.isEmpty)
    accepting.signal(SIGTERM)
    #expect(try await accepting.result().status == 0)
    #expect(try await Program.run("check", "--data", directory.path).output == "The data is sound.\n")
  }

  /// `cp -a` keeps the times of the files, `cp -r` does not.
  @Test(arguments: ["-a", "-r"])
  func `a log that was not copied with the folder after a kill is reported`(
    option: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    _ = try await Household(port: try await server.port())
    server.signal(SIGKILL)
    _ = try await server.result()
    let copy = try TemporaryDirectory()
    #expect(try ChildProcess.run(["cp", option, directory.path + "/.", copy.path]).end == .exited(0))
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: copy.path + "/hearth.db" + suffix) }

    let rejected = try await Program.run("serve", "--port", "0", "--data", copy.path)
    #expect(rejected.status != 0 && !rejected.wasKilled && rejected.output.isEmpty)
    #expect(rejected.errors.contains("hearth.db-wal is missing"), "\(rejected.errors)")
    #expect(try await Program.run("check", "--data", copy.path).status == 1)
  }

  @Test func `a log that is damaged after a kill is reported by check, and accepted only on request`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let ada = try await Household(port: try await server.port())
    server.signal(SIGKILL)
    _ = try await server.result()
    let log = try #require(FileHandle(forUpdatingAtPath: directory.path + "/hearth.db-wal"))
    try log.seek(toOffset: 2_000)
    try log.write(contentsOf: Data("damage".utf8))
    try log.close()

    for _ in 0..<2 {
      let check = try await Program.run("check", "--data", directory.path)
      #expect(check.status == 1)
      #expect(check.output.contains("hearth.db-wal is damaged or was shortened"), "\(check.output)")
      let rejected = try await Program.run("serve", "--port", "0", "--data", directory.path)
      #expect(rejected.status != 0 && !rejected.wasKilled && rejected.output.isEmpty)
      #expect(rejected.errors.contains("start with --accept-lost-log to continue without them."), "\(rejected.errors)")
    }

    let accepting = try Program.serve(directory, "--accept-lost-log")
    let port = try await accepting.port()
    let family = try await Client(port: port, token: ada.parent.token).post("{ family { name } }")
    #expect(!family.codes.isEmpty)
    accepting.signal(SIGTERM)
    #expect(try await accepting.result().status == 0)
    #expect(try await Program.run("check", "--data", directory.path).output == "The data is sound.\n")
  }

  @Test func `a database that is moved away before a kill is not replaced by a new one`() async throws {
    let directory = try TemporaryDirectory()
    let (path, away) = (directory.path + "/hearth.db", directory.path + "/hearth.db.monday")
    let server = try Program.serve(directory)
    let ada = try await Household(port: try await server.port())
    try FileManager.default.moveItem(atPath: path, toPath: away)
    server.signal(SIGKILL)
    _ = try await server.result()

    let check = try await Program.run("check", "--data", directory.path)
    #expect(check.status == 1)
    #expect(check.output.contains("hearth.db is missing, although its write-ahead log"), "\(check.output)")
    for command in [["serve", "--port", "0"], ["seed", "--families", "1"]] {
      let result = try await Program(command + ["--data", directory.path]).result()
      #expect(result.status != 0 && !result.wasKilled && result.output.isEmpty)
      #expect(result.errors.contains("Put it back, restore a backup, or choose another folder."), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: path))
    }

    try FileManager.default.moveItem(atPath: away, toPath: path)
    let again = try Program.serve(directory)
    // Moving it has changed its metadata, so that the pages are checked.
    let family = try await Client(port: try await again.port(), token: ada.parent.token).post("{ family { name } }")
    #expect(family.codes.isEmpty, "\(family)")
    again.signal(SIGTERM)
    #expect(try await again.result().status == 0)
  }

  @Test func `what an interrupted backup or move has left is not served as a new database`() async throws {
    let directory = try TemporaryDirectory()
    let partial = directory.path + "/hearth.db.partial"
    try Data("a part".utf8).write(to: URL(fileURLWithPath: partial))
    let result = try await Program.run("serve", "--port", "0", "--data", directory.path)
    #expect(result.status != 0 && !result.wasKilled && result.output.isEmpty)
    #expect(
      result.errors.contains("\(partial) was left by a backup or a move that did not finish: repeat it"),
      "\(result.errors)"
    )
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/hearth.db"))
    // Beside a database, as while a backup is made into the folder.
    try FileManager.default.removeItem(atPath: partial)
    #expect(try await Program.run("seed", "--data", directory.path, "--families", "1").status == 0)
    try Data("a part".utf8).write(to: URL(fileURLWithPath: partial))
    let server = try Program.serve(directory)
    _ = try await server.port()
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  @Test func `reading goes on when the file has another path, also for the first request of each loop`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory, "--loops", "2")
    let http = HTTPClient(port: try await server.port())
    try FileManager.default.moveItem(atPath: directory.path + "/hearth.db", toPath: directory.path + "/moved.db")
    // Connections go to the loops in turn.
    for _ in 0..<4 {
      let answer = try await http.post(#"{"query":"{ family { name } }"}"#)
      #expect(answer.text.contains("UNAUTHENTICATED"), "\(answer.text)")
    }
    server.signal(SIGTERM)
    _ = try await server.result()
  }

  @Test func `why it cannot be created is the reason of the failure, not that it does not exist`() async throws {
    // The kernel creates the folders there.
    let result = try await Program.run("serve", "--port", "0", "--data", "/sys/hearth")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("Error: The data folder /sys/hearth cannot be created: "), "\(result.errors)")
    #expect(!result.errors.contains("No such file"), "\(result.errors)")
  }

  @Test func `a database of a newer program is a fault`() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await Program.run("seed", "--data", directory.path, "--families", "1").status == 0)
    let (path, version) = (directory.path + "/hearth.db", Migration.all.count)
    #expect(try Database.integrityCheck(of: path, supportedVersion: version) == [])
    let faults = try Database.integrityCheck(of: path, supportedVersion: version - 1)
    #expect(faults.count == 1 && faults[0].contains("is at version \(version) and this program supports"), "\(faults)")
  }

  @Test func `damaged pages are found before the port is opened, and nothing is written`() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await Program.run("seed", "--data", directory.path, "--families", "20").status == 0)
    let path = directory.path + "/hearth.db"
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for page in [5, 40, whole.count / 4_096 - 2] {
      var damaged = whole
      damaged.replaceSubrange((page * 4_096)..<(page * 4_096 + 256), with: Data(repeating: 0x5A, count: 256))
      try damaged.write(to: URL(fileURLWithPath: path))
      let result = try await Program.run("serve", "--port", "0", "--data", directory.path)
      #expect(result.status != 0 && !result.wasKilled && result.output.isEmpty, "page \(page)")
      #expect(result.errors.contains("Nothing was written to it. Restore a backup."), "\(result.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
    }
    try whole.write(to: URL(fileURLWithPath: path))
    let server = try Program.serve(directory)
    _ = try await server.port()
    server.signal(SIGTERM)
    let result = try await server.result()
    #expect(result.status == 0 && result.errors.contains("Checking all pages of \(path)"), "\(result.errors)")
  }
}
