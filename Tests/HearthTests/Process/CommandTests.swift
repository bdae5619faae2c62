import Assets
import Foundation
import Glibc
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("hearth's other commands", .timeLimit(.minutes(20)))
struct CommandTests {
  @Test func `--version and --help`() async throws {
    let version = try await Program.run("--version")
    #expect(version.status == 0)
    #expect(version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    let help = try await Program.run("serve", "--help")
    #expect(help.status == 0)
    for option in ["--host", "--port", "--data", "--loops", "--demo", "HEARTH_ACCESS_TOKEN_LIFETIME"] {
      #expect(help.output.contains(option))
    }
    let wrong = try await Program.run("server")
    #expect(wrong.status == 64)
    #expect(!wrong.errors.isEmpty)
  }

  @Test(arguments: [["schema"], ["mail", "templates", "en"], ["serve", "--port", "0"]])
  func `a full standard output is a sentence`(command: [String]) async throws {
    let directory = try TemporaryDirectory()
    let program = try Program.executable().path
    let script = "HEARTH_DATA=$0/data \"$@\" > /dev/full"
    let result = try await Program(["-c", script, directory.path, program] + command, executable: "/bin/sh").result()
    #expect(result.status == 1)
    #expect(
      result.errors.hasSuffix("Error: Cannot write to standard output: No space left on device.\n"),
      "\(result.errors)"
    )
  }

  @Test func `schema prints the schema that is served`() async throws {
    let result = try await Program.run("schema")
    #expect(result.status == 0)
    #expect(Array(result.output.utf8) == Asset.schema.bytes)
  }

  @Test(arguments: [
    (
      ["serve", "--port", "0", "--data", "/dev/null/data"],
      "Error: The data folder /dev/null/data cannot be created: Not a directory.\n"
    ),
    (
      ["generate", "swift", "--schema", "/nowhere", "--documents", "Examples/clients/documents", "--output", "/x"],
      "Error: /nowhere cannot be read as text.\n"
    ),
    (
      ["generate", "swift", "--documents", "/nowhere", "--output", "/x"],
      "Error: The folder /nowhere does not exist.\n"
    ),
    (
      ["generate", "swift", "--documents", "/usr/include", "--output", "/x"],
      "Error: The folder /usr/include contains no .graphql files.\n"
    ),
    (
      ["generate", "typescript", "--documents", "/etc/passwd", "--output", "/x"],
      "Error: The manifest /etc/passwd is not JSON: "
    ),
    (
      ["generate", "swift", "--documents", "Examples/clients/documents", "--output", "/dev/null/generated"],
      "Error: The files cannot be written to /dev/null/generated.\n"
    ),
  ])
  func `missing files are reported in a sentence`(arguments: [String], message: String) async throws {
    let root = Checkout.root.path + "/"
    let result = try await Program(arguments.map { $0.hasPrefix("Examples/") ? root + $0 : $0 }).result()
    #expect(result.status != 0)
    #expect(result.errors.hasPrefix(message), "\(result.errors)")
    #expect(!result.errors.contains("NSCocoaErrorDomain"), "\(result.errors)")
    #expect(!result.errors.contains("Usage:"), "\(result.errors)")
  }

  @Test(arguments: [
    ("HEARTH_MAX_DEPHT=12", "HEARTH_MAX_DEPHT is not a setting. Did you mean \"HEARTH_MAX_DEPTH\""),
    ("HEARTH_BATCH_SIZ=1", "HEARTH_BATCH_SIZ is not a setting. Did you mean \"HEARTH_BATCH_SIZE\"?"),
    ("HEARTH_BOGUS=1", "HEARTH_BOGUS is not a setting."),
    ("HEARTH_MAX_DEPTH=deep", "HEARTH_MAX_DEPTH must be a number from "),
    ("HEARTH_LOG_LEVEL=loud", "HEARTH_LOG_LEVEL must be one of "),
    ("HEARTH_PUBLIC_URL=hearth.example.com", "HEARTH_PUBLIC_URL must be like https://hearth.example.com"),
    ("HEARTH_PUBLIC_URL=https://hearth.example.com/?a", "HEARTH_PUBLIC_URL must be like https://hearth.example.com"),
    ("HEARTH_CLIENT_ADDRESS_HEADER=X Y", "HEARTH_CLIENT_ADDRESS_HEADER must be the name of a header"),
    ("HEARTH_WEB_PUSH_HOSTS=https://push.example.com", "HEARTH_WEB_PUSH_HOSTS must list hosts"),
    ("HEARTH_TRUSTED_DOCUMENTS=/nowhere", "There are no trusted documents at /nowhere."),
  ])
  func `a setting that does not exist, or has no valid value, is rejected`(line: String, message: String) async throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/hearth.conf"
    try Data("\(line)\n".utf8).write(to: URL(filePath: file))
    let parts = line.split(separator: "=").map(String.init)
    for command in [["serve", "--port", "0", "--data", directory.path + "/data"], ["config", "check"]] {
      for result in [
        try await Program(command + ["--config", file]).result(),
        try await Program(command, environment: [parts[0]: parts[1]]).result(),
      ] {
        #expect(result.status == 1 && !result.wasKilled)
        #expect(result.errors.hasPrefix("Error: \(message)"), "\(result.errors)")
        #expect(!result.errors.contains("Usage:"), "\(result.errors)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/data"))
  }

  @Test(arguments: [["account", "list"], ["mail", "queue"], ["push", "queue"]])
  func `the limit of a list is checked before a server is asked`(words: [String]) async throws {
    for limit in ["0", "1001"] {
      let result = try await Program(words + ["--limit", limit, "--data", "/nowhere"]).result()
      #expect(result.status == 64)
      #expect(result.errors.hasPrefix("Error: --limit must be from 1 to 1000.\n"), "\(result.errors)")
    }
    let help = try await Program(words + ["--help"]).result().output.replacing(/\s+/, with: " ")
    #expect(help.contains("at most 1000."), "\(help)")
  }

  @Test func `a server uses the nearest possible limit`() {
    #expect([-1, 1, 7, 1_000, 5_000].map(ListLimit.clamped) == [1, 1, 7, 1_000, 1_000])
  }

  @Test func `config check accepts valid settings without starting the server`() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/hearth.conf"
    try Data("HEARTH_MAX_DEPTH=12\nHEARTH_DATA=\(directory.path)/data\n".utf8).write(to: URL(filePath: file))
    let result = try await Program.run("config", "check", "--config", file, environment: ["HEARTH_TOKEN": "a"])
    #expect(result.status == 0 && result.output == "The configuration is valid.\n", "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/data"))
  }

  @Test func `a configuration file can have the line ends of Windows`() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/hearth.conf"
    let comment = "# A comment\r\n\r\n"
    try Data("\(comment)HEARTH_MAX_DEPTH=12\r\nHEARTH_LOG_LEVEL=info\r\n".utf8).write(to: URL(filePath: file))
    let valid = try await Program.run("config", "check", "--config", file)
    #expect(valid.status == 0, "\(valid.errors)")
    try Data("\(comment)HEARTH_MAX_DEPTH=deep\r\n".utf8).write(to: URL(filePath: file))
    let invalid = try await Program.run("config", "check", "--config", file)
    #expect(invalid.status == 1)
    #expect(invalid.errors.hasPrefix("Error: HEARTH_MAX_DEPTH must be a number from "), "\(invalid.errors)")
  }

  @Test func `serve --demo says that a folder with other data stays as it is`() async throws {
    let directory = try TemporaryDirectory()
    let first = try Program.serve(directory)
    _ = try await Household(port: first.port())
    first.signal(SIGTERM)
    _ = try await first.result()
    let demo = try Program.serve(directory, "--demo")
    let page = try await HTTPClient(port: demo.port()).get("/graphql", accept: "text/html")
    #expect(page.status == 200 && !page.text.contains("hearth-demo"))
    demo.signal(SIGTERM)
    let errors = try await demo.result().errors
    #expect(errors.contains("--demo has no effect"), "\(errors)")
    #expect(!errors.contains("hearth-demo"), "\(errors)")
  }

  @Test func `backup copies the data of a running server`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let ada = try await Household(port: server.port())
    for number in 0..<20 { _ = try await ada.addChore("Chore \(number)") }
    let copy = try TemporaryDirectory()
    let file = copy.path + "/hearth.db"
    // While chores are added.
    let adding = Task { for number in 20..<60 { _ = try await ada.addChore("Chore \(number)") } }
    let backup = try await Program.run("backup", "--data", directory.path, file)
    #expect(backup.status == 0, "\(backup.errors)")
    try await adding.value
    #expect(try await Program.run("check", "--data", copy.path).status == 0)

    let again = try await Program.run("backup", "--data", directory.path, file)
    #expect(again.status != 0)
    #expect(again.errors.contains(file), "\(again.errors)")
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)

    // The copy serves, with the same tokens and the same ids.
    let restored = try Program.serve(copy)
    let parent = Client(port: try await restored.port(), token: ada.parent.token)
    let family = try await parent.ask("{ family { id chores { totalCount } } }")["data.family"]
    #expect(family["id"] == .string(ada.familyID))
    #expect((family["chores.totalCount"].int ?? 0) >= 20)
    restored.signal(SIGTERM)
    #expect(try await restored.result().status == 0)
  }

  @Test func `backup of nothing makes nothing`() async throws {
    let directory = try TemporaryDirectory()
    let result = try await Program.run("backup", "--data", directory.path + "/nowhere", directory.path + "/copy.db")
    #expect(result.status != 0 && !result.wasKilled)
    #expect(result.errors.contains("nowhere"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test func `a backup that has no room names the file that it cannot write`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await TestServer.run(in: directory, database: .sqlite) { server in _ = try await Household(on: server) }
    // A file can have 100 KiB, and a write beyond that fails without a signal.
    let script = "trap '' XFSZ; ulimit -f 200; exec \"$0\" backup --data \"$1\" \"$2\""
    let (data, file) = (directory.path, copy.path + "/hearth.db")
    let result = try await Program(
      ["-c", script, Program.executable().path, data, file],
      executable: "/bin/sh"
    ).result()
    #expect(result.status == 1 && !result.wasKilled)
    #expect(result.errors.hasPrefix("Error: The file \(file) cannot be written: "), "\(result.errors)")
    #expect(!result.errors.contains("\(data)/hearth.db"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `backup of a damaged database is made, and reports the damage`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    var page: Int64 = 0
    try await TestServer.run(in: directory, database: .sqlite) { server in
      _ = try await Household(on: server)
      page = try server.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'person'", columns: 1)[0][0]
    }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: directory.path + "/hearth.db"))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0x5A, count: 512))
    try file.close()
    let backup = try await Program.run("backup", "--data", directory.path, copy.path + "/hearth.db")
    #expect(backup.status == 2)
    #expect(backup.errors.hasSuffix("but its database is damaged or incomplete, like that of the data.\n"))
    #expect(FileManager.default.fileExists(atPath: copy.path + "/hearth.db"))
    #expect(LastBackup.date(in: directory.path) == nil)
  }

  @Test func `a backup replaces the record of the last one, and says so if it cannot`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await TestServer.run(in: directory, database: .sqlite) { _ in }
    let record = DataFile.lastBackup.path(in: directory.path)
    // Like the file of another user, it cannot be opened.
    try FileManager.default.createSymbolicLink(atPath: record, withDestinationPath: copy.path + "/nowhere/record")
    let first = try await Program.run("backup", "--data", directory.path, copy.path + "/first.db")
    #expect(first.status == 0 && first.errors == "", "\(first.errors)")
    #expect(LastBackup.date(in: directory.path) != nil)

    try FileManager.default.removeItem(atPath: record)
    try FileManager.default.createDirectory(atPath: record, withIntermediateDirectories: false)
    let second = try await Program.run("backup", "--data", directory.path, copy.path + "/second.db")
    #expect(second.status == 0)
    #expect(second.errors.hasPrefix("The backup is complete, but its time could not be noted. "), "\(second.errors)")
  }

  @Test func `check distinguishes sound, damaged and missing data`() async throws {
    let directory = try TemporaryDirectory()
    let none = try await Program.run("check", "--data", directory.path)
    #expect(none.status != 0 && none.errors.contains("hearth.db"), "\(none.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])

    #expect(try await Program.run("seed", "--data", directory.path, "--families", "20").status == 0)
    let sound = try await Program.run("check", "--data", directory.path)
    #expect(sound.status == 0 && sound.output == "The data is sound.\n")

    let file = try FileHandle(forUpdating: URL(fileURLWithPath: directory.path + "/hearth.db"))
    let size = try file.seekToEnd()
    var offset: UInt64 = 4096 * 8
    while offset < size {
      try file.seek(toOffset: offset)
      try file.write(contentsOf: Data(repeating: 0x5A, count: 512))
      offset += 4096 * 4
    }
    try file.close()
    let damaged = try await Program.run("check", "--data", directory.path)
    #expect(damaged.status == 1 && !damaged.wasKilled)
    #expect(!damaged.output.contains("sound"))
    #expect(!(damaged.output + damaged.errors).isEmpty)
  }

  @Test func `seed makes the same data for the same seed, and other data for another`() async throws {
    var answers: [String] = []
    for seed in ["7", "7", "8"] {
      let directory = try TemporaryDirectory()
      #expect(try await Program.run("seed", "--data", directory.path, "--families", "3", "--seed", seed).status == 0)
      let server = try Program.serve(directory, environment: ["HEARTH_PUBLIC_URL": "http://hearth"])
      let visitor = Client(port: try await server.port())
      let outcome = try await visitor.perform(
        Documents.signIn,
        ["input": ["email": "parent2@example.com", "password": "benchmark-password"]]
      )
      let token: String = try #require(outcome["credentials.accessToken"].string, "\(outcome)")
      answers.append(
        try await visitor.with(token: token).post(
          """
          { family { id name parents { id name dateOfBirth memberSince }
            children { id name username dateOfBirth gender theme avatar { url } contract { id maxPoints levels { points award } } }
            chores { totalCount nodes { id name priority dueAt createdAt assignees { id } } } } }
          """
        ).text
      )
      server.signal(SIGTERM)
      #expect(try await server.result().status == 0)
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0] != answers[2])
    let family = try Value(Array(answers[0].utf8))["data.family"]
    #expect(family["children"].list.count == 4)
    #expect(family["chores.totalCount"] == 12)
    #expect(family["chores.nodes"].list.allSatisfy { $0["assignees"].list.count == 2 && $0["dueAt"] != .null })
    #expect(family["children"].list.allSatisfy { $0["contract.levels"].list.count == 3 })
  }

  @Test func `seed makes people with profiles, contacts and groups`() async throws {
    var answers: [String] = []
    for seed in ["7", "7", "8"] {
      let directory = try TemporaryDirectory()
      #expect(try await Program.run("seed", "--data", directory.path, "--people", "300", "--seed", seed).status == 0)
      let server = try Program.serve(directory, environment: ["HEARTH_PUBLIC_URL": "http://hearth"])
      let visitor = Client(port: try await server.port())
      let outcome = try await visitor.perform(
        Documents.signIn,
        ["input": ["email": "person250@example.com", "password": "benchmark-password"]]
      )
      let token: String = try #require(outcome["credentials.accessToken"].string, "\(outcome)")
      answers.append(
        try await visitor.with(token: token).post(
          """
          { viewer { ... on Account { person { name hometown currentCity company highSchools colleges }
            contacts { totalCount nodes { person { name } sharedWithViewer } }
            groups { totalCount nodes { id name memberCount members { nodes { role person { name } } } } } } } }
          """
        ).text
      )
      server.signal(SIGTERM)
      #expect(try await server.result().status == 0)
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0] != answers[2])
    let person = try Value(Array(answers[0].utf8))["data.viewer"]
    #expect(person["contacts.totalCount"].int ?? 0 >= 3)
    #expect(person["groups.nodes"].each("memberCount").contains(300))
  }

  @Test func `seed writes over nothing`() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await Program.run("seed", "--data", directory.path, "--families", "1").status == 0)
    let again = try await Program.run("seed", "--data", directory.path, "--families", "1")
    #expect(again.status != 0)
    #expect(
      again.errors.contains("The data folder is not empty: choose an empty one."),
      "\(again.errors)"
    )
    let none = try await Program.run("seed", "--data", directory.path, "--families", "0")
    #expect(none.status != 0 && none.errors.contains("--families"))
  }
}
