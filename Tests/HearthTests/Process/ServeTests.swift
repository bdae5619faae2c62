import Foundation
import Glibc
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("hearth serve", .timeLimit(.minutes(20)))
struct ServeTests {
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `prints one line when it is ready, and ends cleanly on a signal`(signal: Int32) async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let port = try await server.port()
    #expect(try await HTTPClient(port: port).get("/ready").status == 200)
    server.signal(signal)
    let result = try await server.result()
    #expect(result.status == 0 && !result.wasKilled)
    #expect(result.output == "Hearth is listening on http://127.0.0.1:\(port)/graphql\n")
    // The log was emptied into the file.
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/hearth.db-wal"))
  }

  @Test func `answers running requests before it ends`() async throws {
    let directory = try TemporaryDirectory()
    // A password that takes long enough to be sure of being at work when the signal comes.
    let server = try Program.serve(directory, environment: ["HEARTH_PASSWORD_COST": "14"])
    let port = try await server.port()
    let registration = Task { try await Household(port: port) }
    let http = HTTPClient(port: port)
    try await waitUntil("The registration is running.") {
      try await http.get("/metrics").text.contains("hearth_graphql_requests_total 1")
    }
    server.signal(SIGTERM)
    _ = try await registration.value
    #expect(try await server.result().status == 0)
  }

  @Test func `rejects a cost limit that prevents signing in`() async throws {
    let server = try Program.serve(TemporaryDirectory(), environment: ["HEARTH_MAX_COST": "119999"])
    let result = try await server.result()
    #expect(result.status != 0)
    #expect(result.errors.contains("HEARTH_MAX_COST must be a number from 120000 to"), "\(result.errors)")
  }

  @Test func `is configured by a file, the environment before it and options before both`() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/hearth.conf"
    try Data("# A comment\n\nHEARTH_INTROSPECTION = \"signed-in\"\nHEARTH_PORT=1\nHEARTH_PASSWORD_COST=10\n".utf8)
      .write(to: URL(filePath: file))
    // The helper gives --port 0, which nothing in the file may change.
    // An empty variable is not set.
    let server = try Program.serve(directory, environment: ["HEARTH_CONFIG": file, "HEARTH_INTROSPECTION": ""])
    let http = HTTPClient(port: try await server.port())
    let closed = try await http.post(#"{"query":"{ __schema { description } }"}"#)
    #expect(closed.codes == ["INTROSPECTION_DISABLED"])
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)

    let open = try Program.serve(
      directory,
      environment: ["HEARTH_CONFIG": file, "HEARTH_INTROSPECTION": "everyone"]
    )
    let answer = try await HTTPClient(port: try await open.port()).post(#"{"query":"{ __schema { description } }"}"#)
    #expect(answer.codes.isEmpty)
    open.signal(SIGTERM)
    _ = try await open.result()

    try Data("HEARTH_MAIL smtp://somebody:secret@example.com".utf8).write(to: URL(filePath: file))
    let rejected = try await Program.run("serve", "--data", directory.path, "--config", file)
    #expect(rejected.status != 0)
    #expect(rejected.errors.contains("hearth.conf:1 is not of the form HEARTH_NAME=value"))
    #expect(!rejected.errors.contains("secret"))
  }

  @Test func `reports that another server has the port`() async throws {
    let first = try Program.serve(TemporaryDirectory())
    let port = try await first.port()
    let other = try TemporaryDirectory()
    let second = try await Program.run("serve", "--port", "\(port)", "--data", other.path)
    #expect(second.status != 0 && !second.wasKilled)
    #expect(second.output.isEmpty)
    #expect(second.errors.contains("Cannot listen on 127.0.0.1:\(port): the address is already in use."))
    first.signal(SIGTERM)
    #expect(try await first.result().status == 0)
  }

  @Test func `has its data for itself, until it has ended`() async throws {
    let directory = try TemporaryDirectory()
    for end in [SIGKILL, SIGTERM] {
      let first = try Program.serve(directory)
      _ = try await first.port()
      let second = try await Program.run("serve", "--port", "0", "--data", directory.path)
      #expect(second.status != 0 && !second.wasKilled)
      #expect(second.output.isEmpty)
      #expect(second.errors.contains("\(directory.path) is in use by another server."), "\(second.errors)")
      // A command that only reads does not disturb it.
      #expect(try await Program.run("check", "--data", directory.path).status == 0)
      first.signal(end)
      #expect(try await first.result().wasKilled == (end == SIGKILL))
    }
    let last = try Program.serve(directory)
    _ = try await last.port()
    last.signal(SIGTERM)
    #expect(try await last.result().status == 0)
  }

  @Test func `does not sweep away the pictures of a database that is not there`() async throws {
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/media/ab/\(String(repeating: "cd", count: 31))"
    try FileManager.default.createDirectory(atPath: directory.path + "/media/ab", withIntermediateDirectories: true)
    try Data("a picture".utf8).write(to: URL(fileURLWithPath: file))
    for isEmptyFile in [false, true] {
      if isEmptyFile { try Data().write(to: URL(fileURLWithPath: directory.path + "/hearth.db")) }
      let result = try await Program.run("serve", "--port", "0", "--data", directory.path)
      #expect(result.status != 0 && !result.wasKilled)
      #expect(result.errors.contains("restore the database that belongs to them"), "\(result.errors)")
      #expect(FileManager.default.fileExists(atPath: file))
    }
  }

  @Test func `reports why the data folder cannot be used`() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/file"
    try Data().write(to: URL(fileURLWithPath: file))
    for path in [file, file + "/data"] {
      let result = try await Program.run("serve", "--port", "0", "--data", path)
      #expect(result.status != 0 && !result.wasKilled)
      #expect(result.errors.contains("The data folder \(path) cannot be"), "\(result.errors)")
      #expect(result.errors.contains("Not a directory"), "\(result.errors)")
    }
  }

  @Test func `rejects the data of a newer program`() async throws {
    let directory = try TemporaryDirectory()
    let later = Migration(Migration.all.count + 1, name: "later", sql: "CREATE TABLE later (x INTEGER) STRICT")
    let database = try Database(
      path: DataDirectory.databasePath(in: directory.path),
      migrations: Migration.all + [later]
    )
    await database.close()
    let result = try await Program.run("serve", "--port", "0", "--data", directory.path)
    #expect(result.status != 0 && !result.wasKilled)
    #expect(result.output.isEmpty)
    let sentence =
      "The database is at version \(later.number) and this program supports versions up to \(later.number - 1)."
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(result.errors.contains("Use the newer program, or restore a backup made before it."))
  }

  @Test func `rejects a file that is not a database`() async throws {
    let directory = try TemporaryDirectory()
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: directory.path + "/hearth.db"))
    let result = try await Program.run("serve", "--port", "0", "--data", directory.path)
    #expect(result.status != 0 && !result.wasKilled)
    #expect(result.errors.contains("hearth.db") && result.errors.contains("not a database"), "\(result.errors)")
  }

  @Test(
    arguments: [
      (["--port", "99999"], [:], "--port must be from 0 to 65535."), (["--port", "-1"], [:], "port"),
      (["--port", "http"], [:], "port"), (["--loops", "0"], [:], "--loops must be from 1 to 256."),
      (["--loops", "-3"], [:], "loops"), (["--loops", "100000"], [:], "loops"),
      (["--host", "no.such.host.invalid"], [:], "no.such.host.invalid"),
      (["--host", "203.0.113.7"], [:], "203.0.113.7"),
      ([], ["HEARTH_PORT": "http"], "HEARTH_PORT"), ([], ["HEARTH_LOOPS": "0"], "HEARTH_LOOPS"),
      ([], ["HEARTH_TIME_ZONE": "Mars/Olympus"], "HEARTH_TIME_ZONE"),
      ([], ["HEARTH_TIME_ZONE": "PST"], "HEARTH_TIME_ZONE"),
      ([], ["HEARTH_GOOGLE_KEYS_URL": "http://keys.example/"], "HEARTH_GOOGLE_KEYS_URL"),
      ([], ["HEARTH_FACEBOOK_GRAPH_URL": "graph"], "HEARTH_FACEBOOK_GRAPH_URL"),
      ([], ["HEARTH_ACCESS_TOKEN_LIFETIME": "0"], "HEARTH_ACCESS_TOKEN_LIFETIME"),
      ([], ["HEARTH_REGISTRATION_REQUIRES": "shoeSize"], "HEARTH_REGISTRATION_REQUIRES"),
      ([], ["HEARTH_CHORES_REQUIRE_PICTURE": "perhaps"], "HEARTH_CHORES_REQUIRE_PICTURE"),
      ([], ["HEARTH_LOG_LEVEL": "loud"], "HEARTH_LOG_LEVEL"),
      ([], ["HEARTH_PASSWORD_COST": "40"], "HEARTH_PASSWORD_COST"),
      ([], ["HEARTH_BATCH_SIZE": "0"], "HEARTH_BATCH_SIZE"),
      ([], ["HEARTH_OTLP_ENDPOINT": "http://collector.example:4318"], "HEARTH_OTLP_ENDPOINT must begin with https://"),
      ([], ["HEARTH_OTLP_HEADERS": "key"], "HEARTH_OTLP_HEADERS must be name=value pairs"),
      (
        [], ["HEARTH_REQUEST_TIMES": "9ktd4b7ss57hf, Mia"],
        "HEARTH_REQUEST_TIMES must be nobody, signed-in, or ids of people with commas between them."
      ),
      ([], ["HEARTH_TRACE_RATIO": "1.5"], "HEARTH_TRACE_RATIO must be a number from 0 to 1."),
      ([], ["HEARTH_MAX_DEPTH": "65"], "HEARTH_MAX_DEPTH must be a number from 1 to 64."),
      ([], ["HEARTH_MAX_TOKENS": "many"], "HEARTH_MAX_TOKENS"),
      ([], ["HEARTH_ACCEPTED_DOCUMENTS": "some"], "HEARTH_ACCEPTED_DOCUMENTS"),
      ([], ["HEARTH_ACCEPTED_DOCUMENTS": "trusted"], "HEARTH_TRUSTED_DOCUMENTS"),
      ([], ["HEARTH_TRUSTED_DOCUMENTS": "/no/such/folder"], "There are no trusted documents at /no/such/folder."),
    ] as [([String], [String: String], String)]
  )
  func `reports errors in its options`(
    options: [String],
    environment: [String: String],
    naming: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let port = options.contains("--port") || environment["HEARTH_PORT"] != nil ? [] : ["--port", "0"]
    let program = try Program(["serve", "--data", directory.path] + port + options, environment: environment)
    let result = try await program.result()
    #expect(result.status != 0 && !result.wasKilled)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(naming), "\(result.errors)")
    #expect(result.errors.count < 2000)
  }

  @Test func `each limit on requests can be set, and has a code of its own`() async throws {
    let many = (0..<50).map { "aRatherLongNameOfAField\($0): node(id: \"x\") { id }" }.joined(separator: " ")
    let two = ["a", "b"].map { "\($0): requestPasswordReset(email: \"\($0)@example.com\") { requested } " }.joined()
    let limits: [(setting: String, value: Int, document: String, code: String)] = [
      ("DOCUMENT_BYTES", 300, "{ __typename } #" + String(repeating: "x", count: 290), "DOCUMENT_TOO_LARGE"),
      ("TOKENS", 20, "{ " + String(repeating: "__typename ", count: 25) + "}", "TOO_MANY_TOKENS"),
      ("DEPTH", 3, "{ node(id: \"x\") { ... on Family { children { family { id } } } } }", "OPERATION_TOO_DEEP"),
      ("ALIASES", 2, "{ a: __typename b: __typename c: __typename }", "TOO_MANY_ALIASES"),
      ("ROOT_FIELDS", 4, "{ __typename __typename __typename __typename __typename }", "TOO_MANY_ROOT_FIELDS"),
      ("DIRECTIVES", 1, "{ __typename @skip(if: false) @include(if: true) }", "TOO_MANY_DIRECTIVES"),
      ("FRAGMENT_SPREADS", 1, "{ ...F ...F } fragment F on Query { __typename }", "TOO_MANY_FRAGMENT_SPREADS"),
      ("INTROSPECTION_LISTS", 1, "{ __type(name: \"Query\") { fields { name } } }", "INTROSPECTION_TOO_DEEP"),
      ("FIELDS", 5, "{ node(id: \"x\") { id } }", "TOO_MANY_FIELDS"),
      ("COST", 120_000, "mutation { \(two) }", "COST_EXCEEDED"),
      ("ERRORS", 3, "{ a b c d }", "ERRORS_OMITTED"),
      ("VALIDATION_STEPS", 1, "{ node(id: \"x\") { id } node(id: \"x\") { id } }", "VALIDATION_BUDGET_EXCEEDED"),
      ("RESPONSE_BYTES", 1024, "{ \(many) }", "RESPONSE_TOO_LARGE"),
    ]
    for limit in limits {
      let directory = try TemporaryDirectory()
      let server = try Program.serve(directory, environment: ["HEARTH_MAX_\(limit.setting)": "\(limit.value)"])
      let client = Client(port: try await server.port())
      let rejected = try await client.post(limit.document)
      #expect(rejected.codes.contains(limit.code), "\(limit): \(rejected.text)")
      #expect(try await client.post("{ __typename }").codes.isEmpty)
      server.signal(SIGTERM)
      #expect(try await server.result().status == 0)
    }
  }

  @Test func `takes its options from the environment too`() async throws {
    let directory = try TemporaryDirectory()
    let documents = try TemporaryDirectory()
    try FileManager.default.copyItem(
      at: Checkout.root.appendingPathComponent("Examples/items.graphql"),
      to: URL(filePath: documents.path + "/items.graphql")
    )
    let environment = [
      "HEARTH_PORT": "0", "HEARTH_DATA": directory.path, "HEARTH_LOOPS": "1", "HEARTH_ACCESS_TOKEN_LIFETIME": "3600",
      "HEARTH_PUBLIC_URL": "https://hearth.example.com/", "HEARTH_REGISTRATION_REQUIRES": "",
      "HEARTH_TIME_ZONE": "Europe/Paris", "HEARTH_BATCH_SIZE": "2",
      "HEARTH_TRUSTED_DOCUMENTS": documents.path,
    ]
    let server = try Program(["serve"], environment: environment)
    let visitor = Client(port: try await server.port())
    let outcome = try await visitor.perform(
      "mutation ($input: RegisterInput!) { register(input: $input) { credentials { viewer { ... on Account { name avatar { url } family { timeZone } } } } } }",
      ["input": ["email": "tom@example.com", "password": "correct horse"]]
    )
    let viewer = outcome["credentials.viewer"]
    #expect(viewer["name"] == "tom")
    #expect(viewer["avatar.url"].string?.hasPrefix("https://hearth.example.com/media/") == true)
    #expect(viewer["family.timeZone"] == "Europe/Paris")
    let body = #"[{"documentId":"items"},{"query":"{__typename}"}]"#
    let answers = try await visitor.http.post(body).json
    #expect(answers["0.errors.0.extensions.code"] == "UNAUTHENTICATED")
    #expect(answers["1.data.__typename"] == "Query")
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  @Test func `--demo fills an empty folder, once, and prints how to sign in`() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<2 {
      let server = try Program.serve(directory, "--demo")
      let visitor = Client(port: try await server.port())
      let outcome = try await visitor.perform(
        Documents.signIn,
        ["input": ["email": "ada@example.com", "password": "hearth-demo"]]
      )
      let parent = visitor.with(token: outcome["credentials.accessToken"].string)
      let family = try await parent.ask("{ family { children { points prizeLevel { award } } chores { totalCount } } }")
      #expect(family["data.family.children"].each("points") == [13, 6, 0])
      #expect(family["data.family.chores.totalCount"] == 11)
      let pictures = try await parent.ask(
        "{ family { parents { avatar { placeholder } } children { avatar { placeholder } } items { nodes { photo { url placeholder } } } } }"
      )["data.family"]
      #expect(pictures["parents"].each("avatar.placeholder") == [false, true])
      #expect(pictures["children"].each("avatar.placeholder") == [false, true, true])
      let photos = pictures["items.nodes"].list.map { $0["photo"] }.filter { $0["placeholder"] == false }
      #expect(photos.count == 2)
      for photo in photos { #expect(try await visitor.load(photo).status == 200) }
      #expect(try await visitor.http.get("/graphql", accept: "text/html").text.contains("ada@example.com"))
      server.signal(SIGTERM)
      let result = try await server.result()
      #expect(result.status == 0)
      #expect(result.errors.contains("hearth-demo"))
    }
  }
}
