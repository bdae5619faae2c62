import Foundation
import TestSupport
import Testing

/// From the playground's saved requests to typed clients, with the program alone: no repository, no other packages.
@Suite("Clients for saved requests", .serialized, .timeLimit(.minutes(20)))
struct SavedRequestClientTests {
  /// As the playground exports requests: documents by collection and name, each with the fragments that it uses.
  private static let manifest = """
    {
      "Session/Sign in":
        "mutation ($input: SignInInput!) { signIn(input: $input) { credentials { accessToken refreshToken } } }",
      "Screens/My children": "{ family { children { ...Card } } } fragment Card on Child { id name points }",
      "Screens/One child":
        "query Child($id: ID!) { node(id: $id) { ...Card } }\\nfragment Card on Child {\\n id name points }"
    }
    """

  /// Its folder is kept, so that only the first build is a complete one.
  private static let folder = Checkout.root.appendingPathComponent(".build/saved-requests")

  private static func write(_ text: String, to path: String) throws -> String {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    if (try? String(contentsOf: url, encoding: .utf8)) != text {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    return url.path
  }

  private static func generate(_ arguments: String...) async throws {
    let documents = try write(manifest, to: "documents.json")
    let result = try await Program(["generate"] + arguments + ["--documents", documents]).result()
    try #require(result.status == 0, "\(result.errors)")
  }

  /// What an app prints that signs in as Ada, lists her children, and asks for the first.
  private static func expectChildren(_ app: [String]) async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory, "--demo")
    let result = try await Command.run(app + ["http://127.0.0.1:\(try await server.port())/graphql"])
    server.signal(SIGTERM)
    _ = try await server.result()
    #expect(result.status == 0 && result.output == "Mia Ben Zoë\nMia 13\n", "\(result.output)")
  }

  @Test func `one command writes a Swift client with its package, which an app is built and run with`() async throws {
    let package = Self.folder.appendingPathComponent("HearthClient").path
    let operations = Self.folder.appendingPathComponent("App/Sources/App/Operations").path
    try await Self.generate(
      "swift",
      "--output",
      operations,
      "--access",
      "internal",
      "--with-client",
      package
    )
    _ = try Self.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "App",
        platforms: [.macOS(.v14)],
        dependencies: [.package(path: "../HearthClient")],
        targets: [
          .executableTarget(
            name: "App",
            dependencies: [.product(name: "HearthClient", package: "HearthClient")],
            swiftSettings: [.treatAllWarnings(as: .error)]
          )
        ]
      )

      """,
      to: "App/Package.swift"
    )
    _ = try Self.write(
      """
      import Foundation
      import HearthClient

      let client = HearthClient(endpoint: URL(string: CommandLine.arguments[1])!)
      let input = SignInInput(email: "ada@example.com", password: "hearth-demo")
      let tokens = try await client.perform(SignInMutation(input: input)).signIn.credentials!
      await client.use(Credentials(accessToken: tokens.accessToken, refreshToken: tokens.refreshToken))
      let children = try await client.fetch(MyChildrenQuery()).family!.children
      print(children.map(\\.card.name).joined(separator: " "))
      if case .child(let child) = try await client.fetch(ChildQuery(id: children[0].id.rawValue)).node {
        print(child.card.name, child.card.points)
      }

      """,
      to: "App/Sources/App/main.swift"
    )
    let app = Self.folder.appendingPathComponent("App").path
    let built = try await Command.run(["swift", "build", "--package-path", app, "--disable-index-store"])
    try #require(built.status == 0 && !built.output.contains("warning:"), "\(built.output)")
    try await Self.expectChildren([app + "/.build/debug/App"])
  }

  @Test(.enabled(if: GeneratedClientTests.hasTypeScript, "Scripts/test installs TypeScript and Node"))
  func `one command writes a TypeScript client, which an app is checked and run with`() async throws {
    let web = Self.folder.appendingPathComponent("web").path
    try await Self.generate("typescript", "--output", web + "/hearth.ts")
    _ = try Self.write(
      """
      import { ChildDocument, HearthClient, MyChildrenDocument, SignInDocument } from "./hearth.js";

      declare const process: { argv: string[] };
      const client = new HearthClient(process.argv[2] ?? "");
      const input = { email: "ada@example.com", password: "hearth-demo" };
      const { signIn } = await client.mutate(SignInDocument, { input });
      if (signIn.credentials) client.use(signIn.credentials);
      const children = (await client.query(MyChildrenDocument)).family?.children ?? [];
      console.log(children.map(({ name }) => name).join(" "));
      const { node } = await client.query(ChildDocument, { id: children[0]!.id });
      if (node?.__typename === "Child") console.log(node.name, node.points);

      """,
      to: "web/app.ts"
    )
    _ = try Self.write(#"{"type": "module"}"#, to: "web/build/package.json")
    let options = """
      {
        "compilerOptions": {
          "target": "es2022", "module": "es2022", "moduleResolution": "node", "lib": ["es2022", "dom", "dom.iterable"],
          "types": [], "strict": true, "outDir": "build"
        },
        "include": ["*.ts"]
      }
      """
    let project = try Self.write(options, to: "web/tsconfig.json")
    let checked = try await Command.run([
      "node", GeneratedClientTests.compiler, "--project", project, "--pretty", "false",
    ])
    try #require(checked.status == 0, "\(checked.output)")
    try await Self.expectChildren(["node", web + "/build/app.js"])
  }
}
