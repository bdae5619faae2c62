import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hearth

@Suite("Commands of operators on a running server", .timeLimit(.minutes(20)))
struct ControlTests {
  /// Runs the program on the data folder of a server.
  private func hearth(_ words: String..., on directory: TemporaryDirectory) async throws -> Program.Result {
    try await Program(words + ["--data", directory.path]).result()
  }

  /// The response of a command that succeeds.
  private func json(_ words: String..., on directory: TemporaryDirectory) async throws -> Value {
    let result = try await Program(words + ["--json", "--data", directory.path]).result()
    try #require(result.status == 0, "\(words): \(result.errors)")
    return try Value(Array(result.output.utf8))
  }

  private func expectFailure(_ message: String, _ words: String..., on directory: TemporaryDirectory) async throws {
    let result = try await Program(words + ["--data", directory.path]).result()
    #expect(result.status == 1 && result.output.isEmpty, "\(words)")
    #expect(result.errors == "Error: \(message)\n")
  }

  private func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  // MARK: The socket

  @Test func `the socket is private, is removed by the server, and is replaced after a kill`() async throws {
    let directory = try TemporaryDirectory()
    chmod(directory.path, 0o755)
    let path = ControlSocket.path(in: directory.path)
    try await expectFailure("No server is running on the data folder \(directory.path).", "status", on: directory)

    let killed = try Program.serve(directory)
    _ = try await killed.port()
    #expect(try mode(of: path) == 0o600)
    killed.signal(SIGKILL)
    _ = try await killed.result()
    #expect(FileManager.default.fileExists(atPath: path))
    try await expectFailure("No server is running on the data folder \(directory.path).", "status", on: directory)

    let server = try Program.serve(directory)
    _ = try await server.port()
    #expect(try await json("status", on: directory)["health"] == "ready")
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
    #expect(!FileManager.default.fileExists(atPath: path))

    try await expectFailure(
      "The data folder \(directory.path)/nowhere does not exist.",
      "status",
      on: TemporaryDirectory(existing: directory.path + "/nowhere")
    )
  }

  @Test func `a server without a socket serves, and says why commands are not available`() async throws {
    let directory = try TemporaryDirectory()
    let long = TemporaryDirectory(existing: directory.path + "/" + String(repeating: "long", count: 30))
    let blocked = try TemporaryDirectory()
    try Data("kept".utf8).write(to: URL(filePath: ControlSocket.path(in: blocked.path)))
    for (folder, reason) in [(long, "has at most 107 bytes"), (blocked, "exists, and is not a socket")] {
      let server = try Program.serve(folder)
      #expect(try await HTTPClient(port: server.port()).get("/ready").status == 200)
      server.signal(SIGTERM)
      let result = try await server.result()
      #expect(result.status == 0)
      #expect(result.errors.contains("Commands such as \"hearth status\" are not available."), "\(result.errors)")
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
    #expect(try String(contentsOfFile: ControlSocket.path(in: blocked.path), encoding: .utf8) == "kept")
    let result = try await hearth("status", on: long)
    #expect(result.status == 1 && result.errors.contains("at most 107 are possible. Change to the data folder"))
  }

  @Test func `the socket rejects what is not a command, and longer bodies than commands have`() async throws {
    try await TestServer.run { server in
      let path = ControlSocket.path(in: server.directory.path)
      func status(_ request: String) async throws -> String {
        try await TestThread {
          let socket = try TestSocket(path: path)
          try socket.send(request)
          return String(decoding: try socket.receiveAll(), as: UTF8.self)
        }.value
      }
      func post(_ path: String, _ body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      }
      for (request, expected) in [
        ("rubbish\r\n\r\n", "HTTP/1.1 400"), (post("/account/destroy", "{}"), "HTTP/1.1 404"),
        (post("/account/show", "{}"), "HTTP/1.1 400"), (post("/account/show", "[1,"), "HTTP/1.1 400"),
        ("GET /status HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "HTTP/1.1 405"),
        ("POST /status HTTP/1.1\r\nHost: h\r\nContent-Length: 70000\r\n\r\n", "HTTP/1.1 413"),
        (post("/status", "{}"), "HTTP/1.1 200"),
      ] {
        let answer = try await status(request)
        #expect(answer.hasPrefix(expected), "\(request): \(answer)")
      }
    }
  }

  @Test func `an incomplete command does not keep a server that ends from closing its port`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let port = try await server.port()
    let path = ControlSocket.path(in: directory.path)
    let expected = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    let (interim, status, rest, answer) = try await TestThread {
      let command = try TestSocket(path: path)
      try command.send("POST /status HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      // The server has read the head then.
      let interim = try command.receive(expected.count)
      let client = try TestSocket(port: port)
      try client.send("GET /health HTTP/1.1\r\nHost: h\r\n\r\n")
      let status = try client.httpAnswer().status
      server.signal(SIGTERM)
      // The server closes its port, then idle connections. It still answers the command.
      let rest = try client.receiveAll()
      try command.send("{}")
      return (interim, status, rest, String(decoding: try command.receiveAll(), as: UTF8.self))
    }.value
    #expect(interim == expected && status == 200 && rest.isEmpty)
    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    #expect(try await server.result().status == 0)
  }

  // MARK: Status

  @Test func `an IPv6 address has brackets in the URL of the server`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory, "--host", "::1")
    await server.waitForLines(1)
    let status = try await json("status", on: directory)
    let endpoint = try #require(status["endpoint"].string)
    #expect(endpoint.wholeMatch(of: /http:\/\/\[::1\]:\d+\/graphql/) != nil, "\(endpoint)")
    server.signal(SIGTERM)
    let result = try await server.result()
    #expect(result.status == 0)
    #expect(result.output == "Hearth is listening on \(endpoint)\n")
  }

  @Test func `status reports version, connections, queues, sizes and the last backup`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let port = try await server.port()
    let ada = try await Household(port: port)
    let live = try await LiveSocket.open(port)
    try await live.initialize(ada.parent.token)
    try await live.subscribe("1", "subscription { familyChanged { __typename } }")
    var status = try await json("status", on: directory)
    while status["subscriptions"] != 1 { status = try await json("status", on: directory) }
    #expect(status["version"] == .string(HearthVersion.current))
    #expect(status["process"] == .number(Double(server.processIdentifier)))
    #expect(status["endpoint"] == .string("http://127.0.0.1:\(port)/graphql"))
    #expect(status["accounts"] == 1 && status["families"] == 1)
    #expect(status["webSockets"] == 1 && status["eventStreams"] == 0)
    #expect((status["connections"].int ?? 0) >= 1)
    let stored = (status["bytes.database"].int ?? 0) + (status["bytes.log"].int ?? 0)
    #expect(stored > 100_000 && (status["bytes.free"].int ?? 0) > 0)
    #expect(status["queues.writes"] == 0 && status["queues.mails.failed"] == 0)
    #expect(status["lastBackup"] == .null)

    let copies = try TemporaryDirectory()
    #expect(try await Program.run("backup", "--data", directory.path, copies.path + "/hearth.db").status == 0)
    #expect(try await json("status", on: directory)["lastBackup"].string?.hasSuffix("Z") == true)
    let text = try await hearth("status", on: directory).output
    for line in [
      "Version: +\(HearthVersion.current)", "Health: +ready", "Subscriptions: +1", "Last backup: +20.*Z",
      "Accounts: +1 in 1 families", "Connections: +\\d+, with 1 WebSockets and 0 event streams",
    ] {
      #expect(text.firstMatch(of: try Regex("(?m)^\(line)$")) != nil, "\(line): \(text)")
    }
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  // MARK: Accounts

  @Test func `accounts are listed, searched, shown and signed out`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let port = try await server.port()
    let ada = try await Household(port: port)
    let zoe = try await Household(port: port, email: "zoe@example.com", name: "Zoë Ørsted")
    _ = try await ada.addChild("Mia", username: "mia")
    let mia = try await ada.signIn("mia")

    let all = try await json("account", "list", on: directory)
    #expect(all["accounts"].each("email") == ["ada@example.com", "zoe@example.com"] && all["next"] == .null)
    #expect(all["accounts"].each("id") == [.string(ada.personID), .string(zoe.personID)])
    let first = try await json("account", "list", "--limit", "1", on: directory)
    #expect(first["next"] == .string(ada.personID))
    let second = try await json("account", "list", "--limit", "1", "--after", ada.personID, on: directory)
    #expect(second["accounts"].each("email") == ["zoe@example.com"] && second["next"] == .null)
    for (text, found) in [
      ("zoe orsted", ["zoe@example.com"]), ("ADA@", ["ada@example.com"]),
      ("example.com", all["accounts"].each("email").compactMap(\.string)),
      ("nobody", []),
    ] {
      let list = try await json("account", "list", text, on: directory)
      #expect(list["accounts"].each("email").compactMap(\.string) == found, "\(text)")
    }
    let table = try await hearth("account", "list", on: directory).output
    #expect(table.hasPrefix("ID ") && table.contains("ada@example.com (not verified)"), "\(table)")

    for name in ["ada@example.com", "ADA@example.com", ada.personID, ada.accountID] {
      let shown = try await json("account", "show", name, on: directory)
      #expect(shown["name"] == "Ada Lovelace" && shown["family"] == .string(ada.familyID), "\(name)")
      #expect(shown["signInMethods"] == ["password"] && shown["sessions"].list.count == 1)
    }
    let child = try await json("account", "show", "mia", on: directory)
    #expect(child["username"] == "mia" && child["email"] == .null && child["sessions"].list.count == 1)
    #expect(try await hearth("account", "show", "mia", on: directory).output.contains("Username:"))

    let family = try await json("family", "show", "mia", on: directory)
    #expect(family["id"] == .string(ada.familyID) && family["children"].each("username") == ["mia"])
    #expect(try await json("family", "show", ada.familyID, on: directory) == family)
    #expect(try await hearth("family", "show", "ada@example.com", on: directory).output.contains("CHILD "))

    _ = try await json("account", "sign-out", "mia", on: directory)
    #expect(try await mia.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
    #expect(try await ada.parent.ask(Documents.whoAmI)["errors"] == .null)
    let again = try await ada.signIn("mia")
    let text = try await hearth("account", "sign-out", "ada@example.com", on: directory).output
    #expect(text == "Ada Lovelace (\(ada.personID)) is signed out everywhere.\n")
    for client in [ada.parent, again] {
      #expect(try await client.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
    }
    #expect(try await zoe.parent.ask(Documents.whoAmI)["errors"] == .null)

    for (name, message) in [
      ("eve@example.com", "No account has the e-mail address eve@example.com."),
      ("eve", "There is no account with the e-mail address, username or id eve."),
      (ada.familyID, "There is no account with the e-mail address, username or id \(ada.familyID)."),
    ] {
      try await expectFailure(message, "account", "show", name, on: directory)
      try await expectFailure(message, "account", "sign-out", name, on: directory)
    }
    server.signal(SIGTERM)
    let errors = try await server.result().errors
    #expect(errors.components(separatedBy: "An operator has signed out an account everywhere.").count == 3)
    #expect(errors.contains("id=\(ada.personID)"), "\(errors)")
    #expect(!errors.contains("ada@example.com"), "\(errors)")
  }

  @Test func `a deactivated account is active again, and its family's chores repeat again`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      try await expectFailure(
        "The account ada@example.com is active.",
        "account",
        "reactivate",
        "ada@example.com",
        on: server.directory
      )
      _ = try await ada.addChild("Mia", username: "mia")
      let repeating: Value = ["input": ["name": "Sweep", "frequency": "DAILY"]]
      #expect(try await ada.parent.perform(Documents.addChore, repeating).userErrors.isEmpty)
      _ = try await ada.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      let list = try await json("account", "list", on: server.directory)
      #expect(list["accounts.0.deactivatedAt"].string != nil)
      try await expectFailure(
        "The account is deactivated: reactivate it first.",
        "account",
        "reset-password",
        "ada@example.com",
        on: server.directory
      )

      let result = try await hearth("account", "reactivate", "ada@example.com", on: server.directory)
      #expect(result.output == "The account of Ada Lovelace (\(ada.personID)) is active again.\n")
      let input = A02SignInTests.input("ada@example.com", Household.password)
      let outcome = try await server.visitor.perform(Documents.signIn, input)
      let parent = server.visitor.with(token: outcome["credentials.accessToken"].string)
      let family = try await parent.ask("{ family { id parents { id } children { name } } }")["data.family"]
      #expect(family["id"] == .string(ada.familyID) && family["children"].each("name") == ["Mia"])
      #expect(family["parents"].each("id") == [.string(ada.personID)])
      let found = try await parent.ask(#"{ search(query: "Lovelace") { nodes { ... on Person { id } } } }"#)
      #expect(found["data.search.nodes"].each("id") == [.string(ada.personID)], "\(found)")
      #expect(try server.rows("SELECT count(*) FROM family WHERE next_turn_at IS NOT NULL", columns: 1) == [[1]])
      try await expectFailure(
        "mia is a child, and this command is for adults.",
        "account",
        "reset-password",
        "mia",
        on: server.directory
      )
    }
  }

  @Test func `a deleted account that is reactivated is not erased`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      #expect(try await ada.deleteAccount().userErrors == [])
      _ = try await hearth("account", "reactivate", "ada@example.com", on: server.directory)
      #expect(try server.rows("SELECT count(*) FROM person WHERE erase_at IS NOT NULL", columns: 1) == [[0]])
    }
  }

  @Test func `the data of adults and children are exported to a file of their own`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let folder = try TemporaryDirectory()
      for (account, list, name) in [("ada@example.com", "account", "Ada Lovelace"), ("mia", "child", "Mia")] {
        let file = "\(folder.path)/\(account).zip"
        let result = try await hearth("account", "export", account, file, on: server.directory)
        #expect(result.status == 0 && result.output.hasPrefix("Everything about \(name) ("), "\(result.errors)")
        #expect(try mode(of: file) == 0o600)
        let program = """
          import sys, zipfile
          archive = zipfile.ZipFile(sys.argv[1])
          assert archive.testzip() is None
          print(archive.read('data.json').decode())
          """
        let data = try await PythonScript.run(code: program, [file])
        #expect(data.status == 0, "\(data.output)")
        #expect(try Value(Array(data.output.utf8))[list].each("name") == [.string(name)], "\(data.output)")
        try await expectFailure(
          "The file \(file) cannot be created: File exists.",
          "account",
          "export",
          account,
          file,
          on: server.directory
        )
      }
      let none = "\(folder.path)/none.zip"
      let message = "No account has the e-mail address eve@example.com."
      try await expectFailure(message, "account", "export", "eve@example.com", none, on: server.directory)
      #expect(!FileManager.default.fileExists(atPath: none))
    }
  }

  @Test func `an exported archive is kept when the command's output cannot be written`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let folder = try TemporaryDirectory()
      let file = "\(folder.path)/ada.zip"
      let words = ["account", "export", "ada@example.com", file, "--data", server.directory.path]
      let command = ["-c", #"exec "$0" "$@" > /dev/full"#, try Program.executable().path] + words
      let result = try await Program(command, executable: "/bin/sh").result()
      #expect(result.status != 0 && !result.errors.isEmpty)
      let test = "import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None"
      let read = try await PythonScript.run(code: test, [file])
      #expect(read.status == 0, "\(read.output)")
    }
  }

  @Test func `an adult is deleted like by themselves, or erased at once`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let deleted = try await hearth("account", "delete", grace.email, on: server.directory)
      #expect(
        deleted.output == "Grace Hopper (\(grace.personID)) is deleted, and is erased on 2026-12-21T08:00:00Z.\n",
        "\(deleted)"
      )
      #expect(try await ada.parents() == ["Ada Lovelace"])
      #expect(try await grace.parent.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      #expect(try await server.mail(to: grace.email, about: "will be erased").plain.contains("21 December 2026"))
      let again = try await hearth("account", "delete", grace.email, on: server.directory)
      #expect(again.status == 1 && again.errors.contains("was deleted already, and is erased on 2026-12-21T08:00:00Z"))
      #expect(try await grace.reactivate(on: server).userErrors == [])
      #expect(try await ada.parents() == ["Ada Lovelace", "Grace Hopper"])

      let erased = try await json("account", "delete", grace.personID, "--now", on: server.directory)
      #expect(erased["eraseAt"] == "2026-11-21T08:00:00Z", "\(erased)")
      try await server.erasures(become: 1)
      try await expectFailure(
        "No account has the e-mail address \(grace.email).",
        "account",
        "show",
        grace.email,
        on: server.directory
      )
    }
  }

  @Test func `a child is deleted, and can be restored, or is erased at once`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      // Names of children are sent to verified addresses only.
      try await ada.verifyEmail(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      _ = try await ada.addChild("Ben", username: "ben")
      let deleted = try await json("account", "delete", "mia", on: server.directory)
      #expect(deleted["name"] == "Mia" && deleted["eraseAt"] == "2026-12-21T08:00:00Z")
      let shown = try await hearth("account", "show", mia, on: server.directory).output
      #expect(shown.contains("deleted, erased on 2026-12-21"), "\(shown)")
      _ = try await server.mail(to: ada.email, about: "Mia was deleted")
      #expect(try await ada.parent.perform(Documents.restoreChild, ["id": .string(mia)]).userErrors == [])
      let erased = try await hearth("account", "delete", "ben", "--now", on: server.directory)
      #expect(erased.status == 0 && erased.output.hasSuffix(" is being erased.\n"))
      try await server.erasures(become: 1)
      let children = try await ada.signedInAgain(on: server).parent.ask("{ family { children { name } } }")
      #expect(children["data.family.children"].each("name") == ["Mia"])
    }
  }

  @Test func `a child that was deleted or removed is found by its id, and can be erased at once`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let ben = try await ada.addChild("Ben", username: "ben")
      #expect(try await json("account", "show", mia, on: server.directory)["username"] == "mia")
      #expect(try await ada.deleteChild(mia).userErrors == [])
      #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(ben)]).userErrors == [])
      try await expectFailure(
        "The account \(mia) was deleted already, and is erased on 2026-12-21T08:00:00Z: use --now to erase it.",
        "account",
        "delete",
        mia,
        on: server.directory
      )
      for (child, name) in [(mia, "Mia"), (ben, "Ben")] {
        let erased = try await hearth("account", "delete", child, "--now", on: server.directory)
        #expect(erased.output == "\(name) (\(child)) is being erased.\n", "\(erased)")
      }
      try await server.erasures(become: 2)
      try await expectFailure(
        "There is no account with the e-mail address, username or id \(mia).",
        "account",
        "show",
        mia,
        on: server.directory
      )
    }
  }

  @Test func `a deleted child is found by its username, is listed with its family, and can be restored`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      try await expectFailure("The account mia is active.", "account", "reactivate", "mia", on: server.directory)
      _ = try await json("account", "delete", "mia", on: server.directory)
      #expect(try await json("account", "show", "Mia", on: server.directory)["id"] == .string(mia))
      try await expectFailure(
        "The account mia was deleted already, and is erased on 2026-12-21T08:00:00Z: use --now to erase it.",
        "account",
        "delete",
        "mia",
        on: server.directory
      )
      let listed = try await json("family", "show", ada.familyID, on: server.directory)
      #expect(listed["children.0.id"] == .string(mia) && listed["children.0.eraseAt"] == "2026-12-21T08:00:00Z")
      let text = try await hearth("family", "show", "mia", on: server.directory).output
      #expect(text.contains("deleted, erased on 2026-12-21T08:00:00Z"), "\(text)")

      let restored = try await hearth("account", "reactivate", "mia", on: server.directory)
      #expect(restored.output == "The account of Mia (\(mia)) is active again.\n", "\(restored)")
      let children = try await ada.parent.ask("{ family { children { id username } } }")["data.family.children"]
      #expect(children.each("id") == [.string(mia)] && children.each("username") == ["mia"])

      // Another child has the username meanwhile.
      _ = try await json("account", "delete", "mia", on: server.directory)
      let grace = try await Household("Grace Hopper", on: server)
      let other = try await grace.addChild("Mia", username: "mia")
      #expect(try await json("account", "show", "mia", on: server.directory)["id"] == .string(other))
    }
  }

  @Test func `a child that was removed before it was deleted stays removed, and the command says so`() async throws {
    let log = RecordedLog()
    try await TestServer.run(log: log.logger) { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)]).userErrors == [])
      server.clock.advance(seconds: 60)
      #expect(try await ada.deleteChild(mia).userErrors == [])
      let kept = try await hearth("account", "reactivate", mia, on: server.directory)
      #expect(kept.output == "Mia (\(mia)) is not erased any more, but stays removed from the family.\n", "\(kept)")
      let listed = try await ada.parent.ask("{ family { children { id } deletedChildren { id } } }")
      #expect(listed["data.family"] == ["children": [], "deletedChildren": []])
      let logged = log.messages.filter { $0.hasPrefix("An operator ") }
      #expect(logged.count == 1 && logged[0].contains("has cancelled the erasure of a removed child."), "\(logged)")
    }
  }

  @Test func `a link to reset a password is sent, or shown`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      await server.deliverMail()
      let sent = try await hearth("account", "reset-password", "ada@example.com", on: server.directory)
      #expect(sent.output == "A link to choose a new password is sent to ada@example.com.\n")
      let mailed = try await server.mail(to: "ada@example.com", about: "new password").token
      #expect(!mailed.isEmpty)

      let shown = try await json("account", "reset-password", ada.personID, "--show", on: server.directory)
      let token = try #require(shown["link"].string?.split(separator: "=").last).description
      #expect(shown["link"].string?.hasPrefix("http://127.0.0.1:\(server.port)/reset-password?token=") == true)
      // Nothing changes before the link is used.
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors"] == .null)
      let outcome = try await server.visitor.perform(
        Documents.reset,
        ["token": .string(token), "new": "a fresh password"]
      )
      #expect(outcome.userErrors.isEmpty)
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      try await expectFailure(
        "No account has the e-mail address eve@example.com.",
        "account",
        "reset-password",
        "eve@example.com",
        on: server.directory
      )
    }
  }

  // MARK: Mail

  @Test func `a test mail goes to the outbox, and the error of a mail server is reported`() async throws {
    try await TestServer.run { server in
      let result = try await hearth("mail", "test", "zoe@example.com", on: server.directory)
      #expect(
        result.output == "The mail from hearth@localhost was accepted by \(server.directory.path)/outbox.\n",
        "\(result.errors)"
      )
      #expect(try await server.mail(to: "zoe@example.com", about: "test").subject == "A test of Hearth's mail")
      try await expectFailure("zoe is not an e-mail address.", "mail", "test", "zoe", on: server.directory)
    }
    try await TestServer.run(configure: { $0.mail = MailDestination("file:mails") }) { server in
      let mails = "\(server.directory.path)/mails"
      let result = try await hearth("mail", "test", "zoe@example.com", on: server.directory)
      #expect(result.output == "The mail from hearth@localhost was accepted by \(mails).\n", "\(result.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: mails).count == 1)
    }
    // Nothing listens on port 1.
    let (log, mail) = (RecordedLog(), MailDestination("smtp://127.0.0.1:1"))
    try await TestServer.run(log: log.logger, configure: { $0.mail = mail }) { server in
      let result = try await hearth("mail", "test", "zoe@example.com", on: server.directory)
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("Error: The mail could not be sent: "), "\(result.errors)")
      #expect(!log.messages.contains { $0.contains("has sent a test mail") })
    }
    let smtp = try ScriptedSMTPServer(["RCPT": "550 5.7.1 zoe@example.com is not allowed"])
    let server = MailDestination("smtp://127.0.0.1:\(smtp.port)")
    try await TestServer.run(log: log.logger, configure: { $0.mail = server }) { server in
      let result = try await hearth("mail", "test", "zoe@example.com", on: server.directory)
      #expect(result.errors.contains("replied: 550 5.7.1 zoe@example.com is not allowed"), "\(result.errors)")
      #expect(!log.messages.contains { $0.contains("zoe@example.com") })
    }
  }

  @Test func `the queue shows mails that are tried again and those that failed, which can be sent now`() async throws {
    try await TestServer.run(configure: { $0.mail = MailDestination("smtp://127.0.0.1:1") }) { server in
      let ada = try await Household(on: server)
      await server.deliverMail()
      var queue = try await json("mail", "queue", on: server.directory)
      #expect(queue["counts.retrying"] == 1 && queue["counts.waiting"] == 0 && queue["counts.lastFailure"] != .null)
      #expect(queue["mails.0.kind"] == "emailVerification" && queue["mails.0.state"] == "retrying")
      #expect(queue["mails.0.account"] == .string(ada.personID) && queue["mails.0.attempts"] == 1)
      let text = try await hearth("mail", "queue", on: server.directory).output
      #expect(text.hasPrefix("0 waiting, 1 to be tried again, 0 failed\nLast error: "), "\(text)")
      #expect(try await json("status", on: server.directory)["queues.mails.retrying"] == 1)

      #expect(try await hearth("mail", "retry", on: server.directory).output == "1 mail is sent now.\n")
      await server.deliverMail()
      queue = try await json("mail", "queue", on: server.directory)
      #expect(queue["mails.0.attempts"] == 2)
      try await expectFailure(
        "No mail with the number 99 has failed or is tried again later.",
        "mail",
        "retry",
        "99",
        on: server.directory
      )
    }
  }

  @Test(.enabled(if: SMTPServerProcess.isAvailable))
  func `a mail that a server has rejected is sent again on request`() async throws {
    let smtp = try await SMTPServerProcess(certificate: nil, "--never", "ada@example.com")
    try await TestServer.run(configure: { $0.mail = MailDestination("smtp://127.0.0.1:\(smtp.port)") }) { server in
      _ = try await Household(on: server)
      await server.deliverMail()
      let queue = try await json("mail", "queue", on: server.directory)
      #expect(queue["counts.failed"] == 1 && queue["mails.0.state"] == "failed", "\(queue)")
      let number = try #require(queue["mails.0.number"].int)
      #expect(try await hearth("mail", "retry", on: server.directory).output == "0 mails are sent now.\n")
      for words in [["\(number)"], ["--failed"]] {
        let result = try await Program(["mail", "retry"] + words + ["--data", server.directory.path]).result()
        #expect(result.output == "1 mail is sent now.\n", "\(words): \(result.errors)")
        await server.deliverMail()
        let rejected = try await json("mail", "queue", on: server.directory)
        #expect(rejected["counts.failed"] == 1 && rejected["mails.0.attempts"] == 2, "\(rejected)")
      }
      #expect(try await hearth("mail", "retry", "1", "--failed", on: server.directory).status != 0)
    }
  }

  // MARK: Keys

  @Test func `tokens of a rotated key are valid until they expire, and no longer with --now`() async throws {
    let directory = try TemporaryDirectory()
    var server = try Program.serve(directory)
    var port = try await server.port()
    let ada = try await Household(port: port)
    let rotated = try await hearth("keys", "rotate", on: directory)
    #expect(rotated.output.hasPrefix("The signing key was replaced. Tokens of old keys are valid until 20"))
    let input = A02SignInTests.input("ada@example.com", Household.password)
    let outcome = try await Client(port: port).perform(Documents.signIn, input)
    let fresh = try #require(outcome["credentials.accessToken"].string)
    for restart in [false, true] {
      if restart {
        server.signal(SIGTERM)
        #expect(try await server.result().errors.contains("An operator has replaced the signing key."))
        server = try Program.serve(directory)
        port = try await server.port()
      }
      for token in [ada.parent.token, fresh] {
        #expect(try await Client(port: port, token: token).ask(Documents.whoAmI)["errors"] == .null)
      }
    }

    #expect(try await hearth("keys", "rotate", "--now", on: directory).status == 0)
    for token in [ada.parent.token, fresh] {
      let answer = try await Client(port: port, token: token).ask(Documents.whoAmI)
      #expect(answer["errors.0.extensions.code"] == "TOKEN_EXPIRED", "\(answer)")
    }
    // Sessions have not ended.
    let refreshed = try await Client(port: port).perform(Documents.refresh, ["token": .string(ada.refreshToken)])
    let token = try #require(refreshed["credentials.accessToken"].string)
    #expect(try await Client(port: port, token: token).ask(Documents.whoAmI)["errors"] == .null)
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  @Test func `connections end when the key of their tokens is revoked, and not when it is rotated`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let document = A06LiveDashboardTests.changes
      let listener = try await Listener.open(server.port, ada.parent, document).listening()
      let stream = try await EventStream.open(server.port, ada.parent, document)
      _ = try await stream.position()
      _ = try await json("keys", "rotate", on: server.directory)
      _ = try await listener.listening()
      _ = try await json("keys", "rotate", "--now", on: server.directory)
      let reason = "TOKEN_EXPIRED: The access token has expired: refresh the session."
      #expect(try await listener.socket.receive() == .close(4403, reason))
      let last = try await stream.next()
      #expect(last["errors.0.extensions.code"] == "TOKEN_EXPIRED", "\(last)")
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
      let token = try #require(refreshed["credentials.accessToken"].string)
      _ = try await Listener.open(server.port, ada.parent.with(token: token), document).listening()
    }
  }

  @Test func `a token that was forged with a rotated key does not outlive it`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let session = try server.rows("SELECT id FROM session", columns: 1)[0][0]
      // Somebody knows the key, and signs a token for years.
      let key = try await Secrets.load(from: server.services.database).tokenKeys.current
      let forger = await AccessTokens(SigningKeys(current: key), cipher: server.services.cipher, lifetime: 100_000_000)
      let forged = try await forger.issue(for: GlobalID(rawValue: session), at: server.clock.clock.now()).token
      #expect(try await ada.parent.with(token: forged).ask(Documents.whoAmI)["errors"] == .null)
      _ = try await json("keys", "rotate", on: server.directory)
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors"] == .null)
      server.clock.advance(days: 1)
      let answer = try await ada.parent.with(token: forged).ask(Documents.whoAmI)
      #expect(answer["errors.0.extensions.code"] == "TOKEN_EXPIRED", "\(answer)")

      // The oldest predecessor makes room if its tokens have expired.
      for _ in 0..<SigningKeys.maximumRetired { _ = try await json("keys", "rotate", on: server.directory) }
      try await expectFailure(
        "The tokens of 16 earlier keys are still valid: try again later, or use --now.",
        "keys",
        "rotate",
        on: server.directory
      )
    }
  }
}
