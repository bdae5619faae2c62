import GraphQLServer
import TestSupport
import Testing

@Suite("Files of multipart requests, in resolvers")
struct UploadTests {
  private struct Album: Decodable {
    let title: String
    let photos: [Upload]
    let front: Upload?
  }

  private static let sdl = """
    scalar Upload
    input Album { title: String! photos: [Upload!]! front: Upload }
    type Query { sizeOf(file: Upload): Int firstByte(file: Upload!): Int }
    type Mutation { addPhoto(photo: Upload!): String addAlbum(album: Album!): String }
    type Subscription { sizes(file: Upload!): Int }
    """

  private static func describe(_ upload: Upload) -> String {
    let text = String(decoding: upload.content, as: UTF8.self)
    return "\(upload.fileName ?? "-") \(upload.contentType ?? "-") \(text)"
  }

  private static var schema: GraphQLSchema<Void> {
    var schema = GraphQLSchema<Void>(sdl)
    schema.upload("Upload")
    schema.query("sizeOf") { request in
      let file: Upload? = try request.arguments["file"]
      return file?.content.count
    }
    schema.query("firstByte") { request in
      let file: Upload = try request.arguments["file"]
      return Int(file.content[0])
    }
    schema.mutation("addPhoto") { request in
      let photo: Upload = try request.arguments["photo"]
      return describe(photo)
    }
    schema.mutation("addAlbum") { request in
      let album: Album = try request.arguments["album"]
      let pictures = album.photos + [album.front].compactMap(\.self)
      return ([album.title] + pictures.map(describe)).joined(separator: ", ")
    }
    schema.subscription("sizes") { request in
      let file: Upload = try request.arguments["file"]
      return AsyncStream<Int> { continuation in
        continuation.yield(file.content.count)
        continuation.finish()
      }
    }
    return schema
  }

  private static func run(bodyBytes: Int = 1 << 20, _ body: (Int) async throws -> Void) async throws {
    var options = GraphQLServerOptions()
    (options.port, options.threads, options.bodyBytes) = (0, 1, bodyBytes)
    let server = try GraphQLServer(schema, options: options) { _ in () }
    try await server.serving(body)
  }

  /// Sends a request with files, whose parts are named by their positions.
  private static func post(
    _ port: Int,
    _ operations: String,
    map: String,
    files: [String],
    headers: String = ""
  ) async throws -> String {
    var body = ""
    for (name, content) in [("operations", operations), ("map", map)] {
      body += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(content)\r\n"
    }
    for (index, content) in files.enumerated() {
      body += "--b\r\nContent-Disposition: form-data; name=\"\(index)\"; filename=\"\(index).txt\"\r\n"
      body += "Content-Type: text/plain\r\n\r\n\(content)\r\n"
    }
    body += "--b--\r\n"
    let head = """
      POST /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nGraphQL-Require-Preflight: 1\r\n\(headers)\
      Content-Type: multipart/form-data; boundary=b\r\nContent-Length: \(body.utf8.count)\r\n\r\n
      """
    let request = head + body
    return try await TestThread {
      let socket = try TestSocket(port: port)
      try socket.send(request)
      return String(decoding: try socket.receiveAll(), as: UTF8.self)
    }.value
  }

  @Test func `are read as arguments, in lists and in input objects`() async throws {
    try await Self.run { port in
      let photo = try await Self.post(
        port,
        #"{"query": "mutation ($p: Upload!) { addPhoto(photo: $p) }", "variables": {"p": null}}"#,
        map: #"{"0": ["variables.p"]}"#,
        files: ["sunset"]
      )
      #expect(photo.hasSuffix(#"{"data":{"addPhoto":"0.txt text/plain sunset"}}"#))
      let album = try await Self.post(
        port,
        """
        {"query": "mutation ($a: Album!) { addAlbum(album: $a) }",
         "variables": {"a": {"title": "Lake", "photos": [null, null], "front": null}}}
        """,
        map: #"{"0": ["variables.a.photos.0", "variables.a.front"], "1": ["variables.a.photos.1"]}"#,
        files: ["one", "two"]
      )
      let expected = "Lake, 0.txt text/plain one, 1.txt text/plain two, 0.txt text/plain one"
      #expect(album.hasSuffix(#"{"data":{"addAlbum":"\#(expected)"}}"#))
    }
  }

  @Test func `can be left out where the type is nullable`() async throws {
    let executor = try GraphQLExecutor(Self.schema)
    for document in ["{ sizeOf }", "{ sizeOf(file: null) }"] {
      #expect(await executor.execute(document, context: ()) == #"{"data":{"sizeOf":null}}"#)
    }
  }

  @Test func `are given to an executor by the paths of their variables`() async throws {
    let executor = try GraphQLExecutor(Self.schema)
    let (one, two) = (Upload(content: [49], fileName: "1.txt"), Upload(content: [50, 50], contentType: "text/plain"))
    let album = await executor.execute(
      "mutation ($a: Album!) { addAlbum(album: $a) }",
      variables: ["a": ["title": "Lake", "photos": [nil, nil], "front": nil]],
      files: ["a.photos.1": two, "a.photos.0": one, "a.front": one],
      context: ()
    )
    #expect(album == #"{"data":{"addAlbum":"Lake, 1.txt - 1, - text/plain 22, 1.txt - 1"}}"#)
    var sizes: [String] = []
    let document = "subscription ($f: Upload!) { sizes(file: $f) }"
    for await response in executor.responses(to: document, variables: #"{"f":null}"#, files: ["f": two], context: ()) {
      sizes.append(response)
    }
    #expect(sizes == [#"{"data":{"sizes":2}}"#])
  }

  @Test(arguments: ["g", "f.0", "", "f."])
  func `replace a null only`(path: String) async throws {
    let response = try await GraphQLExecutor(Self.schema).execute(
      "query ($f: Upload) { sizeOf(file: $f) }",
      variables: ["f": nil],
      files: [path: Upload(content: [])],
      context: ()
    )
    #expect(response.contains("The variables have no `null` for the file at \(path)."))
    #expect(response.contains(#""code":"BAD_USER_INPUT""#))
  }

  @Test(arguments: [#""a.txt""#, "0", "{}"])
  func `are the only values of their scalar`(value: String) async throws {
    let response = try await GraphQLExecutor(Self.schema).execute(
      "query ($f: Upload) { sizeOf(file: $f) }",
      variables: #"{"f": \#(value)}"#,
      context: ()
    )
    #expect(response.contains("Upload must be a file of a multipart request, not"))
    #expect(response.contains(#""code":"BAD_USER_INPUT""#))
  }

  @Test func `have their first byte at index 0`() async throws {
    try await Self.run { port in
      let response = try await Self.post(
        port,
        #"{"query": "query ($f: Upload!) { firstByte(file: $f) }", "variables": {"f": null}}"#,
        map: #"{"0": ["variables.f"]}"#,
        files: ["A"]
      )
      #expect(response.hasSuffix(#"{"data":{"firstByte":65}}"#))
    }
  }

  @Test func `are at hand for a subscription, too`() async throws {
    try await Self.run { port in
      let response = try await Self.post(
        port,
        #"{"query": "subscription ($f: Upload!) { sizes(file: $f) }", "variables": {"f": null}}"#,
        map: #"{"0": ["variables.f"]}"#,
        files: ["12345"],
        headers: "Accept: text/event-stream\r\n"
      )
      #expect(response.contains(#"{"data":{"sizes":5}}"#))
    }
  }

  @Test func `are limited by the size of the body`() async throws {
    try await Self.run(bodyBytes: 10_000) { port in
      for (size, status) in [(5_000, "200"), (20_000, "413")] {
        let response = try await Self.post(
          port,
          #"{"query": "query ($f: Upload) { sizeOf(file: $f) }", "variables": {"f": null}}"#,
          map: #"{"0": ["variables.f"]}"#,
          files: [String(repeating: "a", count: size)]
        )
        #expect(response.hasPrefix("HTTP/1.1 \(status) "))
      }
    }
  }

  @Test func `can have several scalars`() throws {
    var schema = GraphQLSchema<Void>("scalar Photo scalar Song type Query { a(photo: Photo, song: Song): Int }")
    schema.query("a") { _ in 1 }
    schema.upload("Photo")
    schema.upload("Song")
    _ = try GraphQLExecutor(schema)
  }

  @Test func `need a scalar of the schema`() {
    var schema = GraphQLSchema<Void>("type Query { a: Int }")
    schema.query("a") { _ in 1 }
    schema.upload("File")
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(error?.description == "File is registered as a scalar, but the schema has no scalar of that name.")
  }
}
