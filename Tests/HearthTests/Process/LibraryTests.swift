import Foundation
import TestSupport
import Testing

/// The library products, in a package that depends on this one as other packages do.
@Suite("Library products", .timeLimit(.minutes(20)))
struct LibraryTests {
  /// `Examples/hello-server`, for as long as `body` takes.
  private static func serve(_ body: (HTTPClient) async throws -> Void) async throws {
    let executable = try await ExamplePackage.helloServer.executable()
    let server = try Program(["0"], executable: executable)
    try await body(HTTPClient(port: try await server.port()))
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  @Test func `the example executes queries, with a batched field and a context created from headers`() async throws {
    try await Self.serve { http in
      let query = #"{"query":"{ hello books { id title author { name } } }"}"#
      let answer = try await http.post(query, headers: [("X-User", "Ada")])
      #expect(answer.status == 200)
      #expect(
        answer.text == #"{"data":{"hello":"Hello, Ada!","books":["#
          + #"{"id":"1","title":"Frankenstein","author":{"name":"Mary Shelley"}},"#
          + #"{"id":"2","title":"The Last Man","author":{"name":"Mary Shelley"}},"#
          + #"{"id":"3","title":"Orlando","author":{"name":"Virginia Woolf"}}]}}"#
      )
      #expect(try await http.post(#"{"query":"{ hello }"}"#).text == #"{"data":{"hello":"Hello, stranger!"}}"#)
    }
  }

  @Test func `the example's mutation changes its data, and its errors have codes`() async throws {
    try await Self.serve { http in
      let added =
        #"{"query":"mutation($t: String!) { addBook(title: $t, authorId: 2) { id author { name } } }","#
        + #""variables":{"t":"Flush"}}"#
      #expect(
        try await http.post(added).text == #"{"data":{"addBook":{"id":"4","author":{"name":"Virginia Woolf"}}}}"#
      )
      #expect(try await http.post(#"{"query":"{ books { id } }"}"#).json["data.books"].list.count == 4)
      for (author, code) in [("9", "AUTHOR_NOT_FOUND"), (#"\"x\""#, "BAD_USER_INPUT"), ("", "GRAPHQL_PARSE_FAILED")] {
        let answer = try await http.post(#"{"query":"mutation { addBook(title: \"\", authorId: \#(author)) { id } }"}"#)
        #expect(answer.codes == [code])
      }
    }
  }

  @Test func `the example's subscription delivers books over a WebSocket`() async throws {
    try await Self.serve { http in
      let socket = try await LiveSocket.open(http.port)
      try await socket.initialize()
      try await socket.subscribe("1", "subscription { bookAdded { title author { name } } }")
      // Books are added until the subscription, which starts at some point, has delivered one.
      let isDelivered = Counter()
      async let frame = {
        defer { isDelivered.increment() }
        return try await socket.receive()
      }()
      let added = #"{"query":"mutation { addBook(title: \"Flush\", authorId: 2) { id } }"}"#
      while isDelivered.count == 0 { _ = try await http.post(added) }
      #expect(
        try await frame
          == next("1", #"{"data":{"bookAdded":{"title":"Flush","author":{"name":"Virginia Woolf"}}}}"#)
      )
    }
  }

  @Test func `the example has a playground of its own, its schema and figures`() async throws {
    try await Self.serve { http in
      let page = try await http.get("/graphql", accept: "text/html")
      #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
      #expect(page.text.contains("<title>GraphQL playground</title>"))
      #expect(!page.text.lowercased().contains("hearth") && !page.text.contains("{{"))
      for reference in page.text.matches(of: /(?:src|href)="([^"#][^"]*)"/) {
        #expect(try await http.get(String(reference.1)).status == 200, "\(reference.1)")
      }
      let schema = try await http.get("/graphql/schema.graphql").text
      #expect(schema.contains("type Mutation { addBook(title: String!, authorId: ID!): Book! }"))
      let figures = try await http.get("/metrics").text
      #expect(figures.contains("\ngraphql_requests_total 0\n") && !figures.contains("hearth"))
    }
  }

  @Test(arguments: ["README.md", "Documentation/library.md"])
  func `the Swift in the documents is of the example`(path: String) throws {
    let main = Checkout.root.appendingPathComponent("Examples/hello-server/Sources/hello-server/main.swift")
    let source = try String(contentsOf: main, encoding: .utf8)
    let blocks = try Document(path).blocks.filter { $0.language == "swift" }
    #expect(!blocks.isEmpty)
    for block in blocks { #expect(source.contains(block.text), "\(path):\(block.line)") }
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `the guide lists the options`() throws {
    let declared = try Self.text(of: "Sources/GraphQLServer/GraphQLServerOptions.swift").split(separator: "\n")
      // Those with a body are other names.
      .filter { $0.hasPrefix("  public var ") && !$0.hasSuffix("{") }
      .compactMap { line in line.dropFirst("  public var ".count).firstMatch(of: /^\w+/).map { String($0.0) } }
    let guide = try Self.text(of: "Documentation/library.md")
    let section = try #require(guide.components(separatedBy: "\n## Options\n").last)
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let listed = rows.flatMap { row in
      (row.split(separator: "|").first ?? "").matches(of: /`(\w+)`/).map { String($0.1) }
    }
    #expect(declared.sorted() == listed.sorted())
  }

  @Test func `the guide's target names are in the manifest`() throws {
    let manifest = try Self.text(of: "Package.swift")
    let guide = try Self.text(of: "Documentation/library.md").split(separator: "\n")
    let lines = guide.drop { !$0.hasPrefix("`Assets`") }.prefix { $0.hasPrefix("`") }
    let names = lines.flatMap { line in line.matches(of: /`(\w+)`/).map { String($0.1) } }
    #expect(names.count > 20)
    for name in names { #expect(manifest.contains("\"\(name)\""), "\(name)") }
  }

  @Test func `the example is short`() throws {
    let folder = Checkout.root.appendingPathComponent("Examples/hello-server")
    let files = ["Package.swift", "Sources/hello-server/main.swift"]
    let lines = try files.map { path in
      try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8).split(separator: "\n").count
    }
    #expect(lines.reduce(0, +) <= 100)
  }

  @Test func `a release build of a dependent package has no unsafe flags`() throws {
    let manifest = try Self.text(of: "Package.swift")
    // SwiftPM rejects them in a dependency whose manifest is of an earlier version.
    #expect(manifest.hasPrefix("// swift-tools-version: 6.2\n"))
    let flags = manifest.split(separator: "\n").filter { $0.contains("unsafeFlags") }
    #expect(flags.count == 1)
    for line in flags { #expect(line.contains(".when(configuration: .debug)"), "\(line)") }
  }
}
