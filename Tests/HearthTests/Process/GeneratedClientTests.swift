import Foundation
import TestSupport
import Testing

/// The clients of `Examples/clients`, from the schema to the response.
@Suite("Generated clients", .timeLimit(.minutes(20)))
struct GeneratedClientTests {
  private static let clients = Checkout.root.appendingPathComponent("Examples/clients")

  /// A server with demo data, for as long as `body` takes.
  private static func serve(
    environment: [String: String] = [:],
    _ body: (_ endpoint: String, _ folder: URL) async throws -> Command.Result
  ) async throws {
    let directory = try TemporaryDirectory()
    let work = try TemporaryDirectory()
    let server = try Program.serve(directory, "--demo", environment: environment)
    let endpoint = "http://127.0.0.1:\(try await server.port())/graphql"
    let folder = URL(fileURLWithPath: work.path)
    try Data(SamplePicture.jpeg()).write(to: folder.appendingPathComponent("photo.jpg"))
    let result = try await body(endpoint, folder)
    server.signal(SIGTERM)
    _ = try await server.result()
    #expect(result.status == 0 && result.output.hasSuffix("ok\n"), "\(result.output)")
  }

  @Test(arguments: ["typescript", "swift"])
  func `clients are generated again when a document has changed`(language: String) async throws {
    let directory = try TemporaryDirectory()
    let folder = URL(fileURLWithPath: directory.path)
    let document = folder.appendingPathComponent("Viewer.graphql")
    let output = folder.appendingPathComponent(language == "swift" ? "Sources" : "client.ts")
    let generated = language == "swift" ? output.appendingPathComponent("ViewerQuery.swift") : output
    try Data("query Viewer { viewer { __typename } }".utf8).write(to: document)
    let program = try Program([
      "generate", language, "--documents", directory.path, "--output", output.path, "--watch",
    ])
    await program.waitForLines(1)
    #expect(try !String(contentsOf: generated, encoding: .utf8).contains("secondViewer"))
    try Data("query Viewer { viewer { unknown } }".utf8).write(to: document)
    await program.waitForLines(1, errors: 1)
    try Data("query Viewer { viewer { secondViewer: __typename } }".utf8).write(to: document)
    await program.waitForLines(2, errors: 1)
    #expect(try String(contentsOf: generated, encoding: .utf8).contains("secondViewer"))
    program.signal(SIGTERM)
    let result = try await program.result()
    #expect(result.errors.hasPrefix("Viewer.graphql:1:"), "\(result.errors)")
  }

  // MARK: Swift

  @Test(arguments: [
    ("schema.graphql", "Examples/clients/documents", "FamilyOperations", "public"),
    (
      "Examples/clients/swift/News/schema.graphql", "Examples/clients/swift/News/Documents", "client-check/News",
      "internal"
    ),
  ])
  func `the Swift types in the repository are those that are generated`(
    schema: String,
    documents: String,
    target: String,
    access: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let root = Checkout.root.path + "/"
    let result = try await Program.run(
      "generate",
      "swift",
      "--schema",
      root + schema,
      "--documents",
      root + documents,
      "--output",
      directory.path,
      "--access",
      access
    )
    #expect(result.status == 0, "\(result.errors)")
    let kept = Self.clients.appendingPathComponent("swift/Sources/\(target)")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(try FileManager.default.contentsOfDirectory(atPath: kept.path).sorted() == names)
    for name in names {
      let generated = try String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)
      let text = try String(contentsOf: kept.appendingPathComponent(name), encoding: .utf8)
      #expect(text == generated, "\(name): generate it again, as Examples/clients/swift/README.md says")
    }
  }

  @Test func `the Swift client does what a family's app does, with tokens that expire`() async throws {
    let check = try await ExamplePackage.swiftClient.executable()
    try await Self.serve(environment: ["HEARTH_ACCESS_TOKEN_LIFETIME": "1"]) { endpoint, folder in
      try await Command.run([check, "family", endpoint, folder.path + "/photo.jpg"])
    }
  }

  @Test func `the Swift client repeats each mutation whose response was lost, and each is applied once`() async throws {
    let check = try await ExamplePackage.swiftClient.executable()
    try await Self.serve(environment: ["HEARTH_ACCESS_TOKEN_LIFETIME": "2"]) { endpoint, folder in
      let port = endpoint.split(separator: ":").last?.split(separator: "/").first ?? ""
      let photo = folder.path + "/photo.jpg"
      let outcome = try await PythonScript.run("Live/lost_responses.py", check, String(port), photo)
      return Command.Result(status: outcome.status, output: outcome.output)
    }
  }

  @Test func `the Swift client's subscription resumes after a restart of the server`() async throws {
    let check = try await ExamplePackage.swiftClient.executable()
    let outcome = try await PythonScript.run("Live/client_restart.py", check, Program.executable().path)
    #expect(outcome == .ok)
  }

  @Test func `the package that the program writes has the files of HearthClient`() async throws {
    let directory = try TemporaryDirectory()
    let folder = URL(fileURLWithPath: directory.path)
    let package = folder.appendingPathComponent("HearthClient")
    let result = try await Program.run(
      "generate",
      "swift",
      "--documents",
      Self.clients.appendingPathComponent("documents").path,
      "--output",
      folder.appendingPathComponent("FamilyOperations").path,
      "--with-client",
      package.path
    )
    #expect(result.status == 0, "\(result.errors)")
    let sources = Checkout.root.appendingPathComponent("Sources/HearthClient")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
    let written = package.appendingPathComponent("Sources/HearthClient")
    let names = try FileManager.default.contentsOfDirectory(atPath: written.path)
    #expect(names.sorted() == paths.map { ($0 as NSString).lastPathComponent }.sorted())
    for path in paths {
      let copy = written.appendingPathComponent((path as NSString).lastPathComponent)
      #expect(try Data(contentsOf: copy) == Data(contentsOf: sources.appendingPathComponent(path)), "\(path)")
    }
  }

  // MARK: TypeScript

  private static let typescript = clients.appendingPathComponent("typescript")
  static let compiler = Checkout.root.path + "/.build/typescript/usr/share/nodejs/typescript/lib/tsc.js"
  static let hasTypeScript = FileManager.default.fileExists(atPath: compiler) && TutorialTests.hasNode

  @Test func `the TypeScript client in the repository is the one that is generated`() async throws {
    let directory = try TemporaryDirectory()
    let output = directory.path + "/new/hearth.ts"
    let documents = Self.clients.appendingPathComponent("documents").path
    let hooks = directory.path + "/new/hearth-react.ts"
    let result = try await Program.run(
      "generate",
      "typescript",
      "--documents",
      documents,
      "--output",
      output,
      "--react",
      hooks
    )
    #expect(result.status == 0, "\(result.errors)")
    for (path, name) in [(output, "hearth.ts"), (hooks, "hearth-react.ts")] {
      let kept = try String(contentsOf: Self.typescript.appendingPathComponent(name), encoding: .utf8)
      let isEqual = try String(contentsOfFile: path, encoding: .utf8) == kept
      #expect(isEqual, "\(name): generate it again, as Examples/clients/typescript/README.md says")
    }
  }

  @Test(arguments: [
    ("hooks.ts", "./api/hearth.js"), ("api/react.ts", "./hearth.js"),
    ("components/hooks/use.ts", "../../api/hearth.js"),
  ])
  func `the React hooks import the client from where it is`(hooks: String, specifier: String) async throws {
    let directory = try TemporaryDirectory()
    let documents = Self.clients.appendingPathComponent("documents").path
    let result = try await Program.run(
      "generate",
      "typescript",
      "--documents",
      documents,
      "--output",
      directory.path + "/api/hearth.ts",
      "--react",
      directory.path + "/" + hooks
    )
    #expect(result.status == 0, "\(result.errors)")
    let text = try String(contentsOfFile: directory.path + "/" + hooks, encoding: .utf8)
    #expect(text.contains("} from \"\(specifier)\";"))
  }

  /// Type-checks the generated client and an app on it, strictly. Returns the program.
  private static func typescriptCheck(in folder: URL) async throws -> String {
    let result = try await Command.run([
      "node", compiler, "--project", typescript.path, "--outDir", folder.path, "--pretty", "false",
    ])
    try #require(result.status == 0, "\(result.output)")
    try Data(#"{"type": "module"}"#.utf8).write(to: folder.appendingPathComponent("package.json"))
    return folder.appendingPathComponent("check.js").path
  }

  @Test(.enabled(if: hasTypeScript, "Scripts/test installs TypeScript and Node"))
  func `the TypeScript client does what a family's app does, with tokens that expire`() async throws {
    try await Self.serve(environment: ["HEARTH_ACCESS_TOKEN_LIFETIME": "1"]) { endpoint, folder in
      let check = try await Self.typescriptCheck(in: folder)
      return try await Command.run(["node", check, "family", endpoint, folder.path + "/photo.jpg"])
    }
  }

  @Test(
    .enabled(if: hasTypeScript, "Scripts/test installs TypeScript and Node"),
    arguments: [[], ["--web-socket"]]
  )
  func `the TypeScript client's subscription resumes after a restart of the server`(options: [String]) async throws {
    let work = try TemporaryDirectory()
    let program = try await Self.typescriptCheck(in: URL(fileURLWithPath: work.path))
    let command = try ["node", program] + options + [Program.executable().path]
    let outcome = try await PythonScript.run("Live/client_restart.py", command)
    #expect(outcome == .ok)
  }

  @Test(
    .enabled(if: hasTypeScript && PlaygroundTests.isAvailable, "Scripts/test installs TypeScript and Chromium"),
    arguments: [[], ["--web-socket"]]
  )
  func `in a browser, on a page of another origin, it resumes as well`(options: [String]) async throws {
    let work = try TemporaryDirectory()
    _ = try await Self.typescriptCheck(in: URL(fileURLWithPath: work.path))
    let page = Checkout.root.path + "/Tests/Live/client_in_browser.py"
    let command = try ["python3", page, work.path, "http://app.localhost"] + options + [Program.executable().path]
    let outcome = try await PythonScript.run("Live/client_restart.py", command)
    #expect(outcome == .ok)
  }

  private static let react = Checkout.root.path + "/.build/react/usr/share/nodejs"
  private static let hasReact = hasTypeScript && FileManager.default.fileExists(atPath: react + "/react-test-renderer")

  /// The repository's declarations have only what the hooks need, so that the check needs no packages.
  @Test(.enabled(if: hasReact, "Scripts/test installs React"))
  func `the React hooks are correct by React's own types`() async throws {
    let work = try TemporaryDirectory()
    let project = work.path + "/tsconfig.json"
    let base = Self.typescript.path
    let settings = """
      {
        "extends": "\(base)/tsconfig.json",
        "compilerOptions": {
          "noEmit": true, "skipLibCheck": true, "baseUrl": "/", "jsx": "react",
          "paths": { "react": ["\(Self.react)/@types/react/index.d.ts"] }
        },
        "include": [],
        "files": [
          "\(base)/react-check.ts", "\(base)/node.d.ts", "\(base)/react-test-renderer.d.ts"
        ]
      }
      """
    try Data(settings.utf8).write(to: URL(fileURLWithPath: project))
    let result = try await Command.run(["node", Self.compiler, "--project", project, "--pretty", "false"])
    #expect(result.status == 0, "\(result.output)")
  }

  @Test(.enabled(if: hasReact, "Scripts/test installs React"))
  func `the React hooks show queries, mutations and events`() async throws {
    try await Self.serve { endpoint, folder in
      _ = try await Self.typescriptCheck(in: folder)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/node_modules",
        withDestinationPath: Self.react
      )
      return try await Command.run(
        ["node", folder.appendingPathComponent("react-check.js").path, endpoint],
        environment: ["NODE_PATH": Self.react]
      )
    }
  }

  // MARK: Python

  @Test(.enabled(if: PythonScript.has("ariadne_codegen", "mypy"), "Scripts/test installs them"))
  func `ariadne-codegen's client is generated, type-checked and used`() async throws {
    let schema = try await Program.run("schema")
    #expect(schema.status == 0)
    try await Self.serve { endpoint, folder in
      let files = FileManager.default
      try files.copyItem(
        at: Self.clients.appendingPathComponent("documents"),
        to: folder.appendingPathComponent("documents")
      )
      let python = folder.appendingPathComponent("python")
      try files.copyItem(at: Self.clients.appendingPathComponent("python"), to: python)
      try Data(schema.output.utf8).write(to: python.appendingPathComponent("schema.graphql"))
      let steps = [
        ["ariadne-codegen"],
        ["python3", "-m", "mypy", "family.py"],
        ["python3", "family.py", endpoint, "../photo.jpg"],
      ]
      var result = Command.Result(status: 0, output: "")
      for step in steps where result.status == 0 { result = try await Command.run(step, in: python.path) }
      return result
    }
  }

  @Test(.enabled(if: PythonScript.has("gql", "aiohttp"), "Scripts/test installs them"))
  func `gql validates by the server's schema, and builds queries of it`() async throws {
    try await Self.serve { endpoint, _ in
      try await Command.run(["python3", Self.clients.appendingPathComponent("python/with_gql.py").path, endpoint])
    }
  }

  // MARK: Others

  /// They cannot run here, but the files that they read can be checked.
  @Test func `the configurations of Apollo iOS and GraphQL Code Generator name existing files`() throws {
    let apollo = Self.clients.appendingPathComponent("apollo-ios")
    let configuration = try Value(Array(Data(contentsOf: apollo.appendingPathComponent("apollo-codegen-config.json"))))
    let typescript = Self.clients.appendingPathComponent("typescript")
    let package = try Value(Array(Data(contentsOf: typescript.appendingPathComponent("package.json"))))
    #expect(package["scripts.generate"].string != nil)
    let generator = try String(contentsOf: typescript.appendingPathComponent("codegen.yml"), encoding: .utf8)
    let paths =
      configuration["input.schemaSearchPaths"].list.map { (apollo, $0.string ?? "") }
      + configuration["input.operationSearchPaths"].list.map { (apollo, $0.string ?? "") }
      + generator.matches(of: /(\.\.\/[^\s"]+\.graphql)/).map { (typescript, String($0.1)) }
    #expect(paths.count == 4)
    for (folder, path) in paths {
      let file = path.hasSuffix("*.graphql") ? String(path.dropLast("*.graphql".count)) : path
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent(file).path), "\(path)")
    }
  }
}
