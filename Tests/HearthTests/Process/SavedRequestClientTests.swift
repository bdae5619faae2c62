import Foundation
import TestSupport
import Testing

/// From the playground's saved requests to typed clients, with the program alone: no repository, no other packages.
@Suite("Clients for saved requests", .timeLimit(.minutes(20)))
struct SavedRequestClientTests {
  /// As the playground exports requests: documents by collection and name, each with the fragments that it uses.
  private static let manifest = """
    {
      "Session/Sign in":
        "mutation ($input: SignInInput!) { signIn(input: $input) { credentials { accessToken refreshToken } } }",
      "Items/Add item": "mutation ($name: String!) { addItem(input: {name: $name}) { item { id } } }",
      "Live/Family": "subscription { familyChanged { __typename } }",
      "Screens/My children": "{ family { children { ...Card } } } fragment Card on Child { id name points }",
      "Screens/One child":
        "query Child($id: ID!) { node(id: $id) { ...Card } }\\nfragment Card on Child {\\n id name points }"
    }
    """

  /// It has a folder for each test, because they run at the same time. It is kept, so that only the first build is a
  /// complete one.
  private static let folder = Checkout.root.appendingPathComponent(".build/saved-requests")

  private static func write(_ text: String, to path: String) throws -> String {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    if (try? String(contentsOf: url, encoding: .utf8)) != text {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    return url.path
  }

  /// What a client sends that is generated, by the test with this folder, for a server of trusted documents.
  private static func sent(in name: String) -> String { folder.appendingPathComponent("\(name)/sent.json").path }

  private static func generate(_ arguments: String..., in name: String, isTrusted: Bool) async throws {
    let documents = try write(manifest, to: "\(name)/documents.json")
    let more = ["--documents", documents] + (isTrusted ? ["--manifest", sent(in: name)] : [])
    let result = try await Program(["generate"] + arguments + more).result()
    try #require(result.status == 0, "\(result.errors)")
  }

  /// What an app prints that signs in as Ada, lists her children, asks for the first, renews its token and waits for an
  /// event.
  private static func expectChildren(_ app: [String], in name: String, isTrusted: Bool) async throws {
    let directory = try TemporaryDirectory()
    var environment = ["HEARTH_ACCESS_TOKEN_LIFETIME": "1"]
    if isTrusted {
      environment["HEARTH_TRUSTED_DOCUMENTS"] = sent(in: name)
      environment["HEARTH_ACCEPTED_DOCUMENTS"] = "trusted"
    }
    let server = try Program.serve(directory, "--demo", environment: environment)
    let result = try await Command.run(app + ["http://127.0.0.1:\(try await server.port())/graphql"])
    server.signal(SIGTERM)
    _ = try await server.result()
    #expect(
      result.status == 0 && result.output == "Mia Ben Zoë\nMia 13\n",
      "with trusted documents: \(isTrusted), \(result.output)"
    )
  }

  @Test func `one command writes a Swift client with its package, which an app is built and run with`() async throws {
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
      to: "swift/App/Package.swift"
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
      let token = await client.credentials?.accessToken
      while await client.credentials?.accessToken == token { _ = try await client.fetch(MyChildrenQuery()) }
      let events = client.subscribe(to: FamilySubscription()) { [client] isConnected in
        if isConnected { Task { _ = try? await client.perform(AddItemMutation(name: "Tent")) } }
      }
      for try await _ in events { break }

      """,
      to: "swift/App/Sources/App/main.swift"
    )
    let app = Self.folder.appendingPathComponent("swift/App").path
    // In one test, because both use the same package.
    for isTrusted in [false, true] {
      try await Self.generate(
        "swift",
        "--output",
        app + "/Sources/App/Operations",
        "--access",
        "internal",
        "--with-client",
        Self.folder.appendingPathComponent("swift/HearthClient").path,
        in: "swift",
        isTrusted: isTrusted
      )
      let built = try await Command.run(["swift", "build", "--package-path", app, "--disable-index-store"])
      try #require(built.status == 0 && !built.output.contains("warning:"), "\(built.output)")
      try await Self.expectChildren([app + "/.build/debug/App"], in: "swift", isTrusted: isTrusted)
    }
  }

  @Test(.enabled(if: GeneratedClientTests.hasTypeScript, "Scripts/test installs TypeScript and Node"))
  func `one command writes a TypeScript client, which an app is checked and run with`() async throws {
    let web = Self.folder.appendingPathComponent("web").path
    _ = try Self.write(
      """
      import {
        AddItemDocument, ChildDocument, FamilyDocument, HearthClient, MyChildrenDocument, SignInDocument,
      } from "./hearth.js";

      declare const process: { argv: string[] };
      async function signedIn(live: "eventStream" | "webSocket"): Promise<HearthClient> {
        const client = new HearthClient(process.argv[2] ?? "", { live });
        const input = { email: "ada@example.com", password: "hearth-demo" };
        const { signIn } = await client.mutate(SignInDocument, { input });
        if (signIn.credentials) client.use(signIn.credentials);
        return client;
      }

      const client = await signedIn("eventStream");
      const children = (await client.query(MyChildrenDocument)).family?.children ?? [];
      console.log(children.map(({ name }) => name).join(" "));
      const { node } = await client.query(ChildDocument, { id: children[0]!.id });
      if (node?.__typename === "Child") console.log(node.name, node.points);
      for (const each of [client, await signedIn("webSocket")]) {
        const token = each.credentials?.accessToken;
        while (each.credentials?.accessToken === token) await each.query(MyChildrenDocument);
        const add = () => { void each.mutate(AddItemDocument, { name: "Tent" }); };
        for await (const { familyChanged } of each.subscribe(FamilyDocument, {}, { onBegin: add })) {
          if (familyChanged.__typename === "%other") throw new Error("A known type is expected.");
          break;
        }
      }

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
    // In one test, because both write the same files.
    for isTrusted in [false, true] {
      try await Self.generate("typescript", "--output", web + "/hearth.ts", in: "web", isTrusted: isTrusted)
      let checked = try await Command.run([
        "node", GeneratedClientTests.compiler, "--project", project, "--pretty", "false",
      ])
      try #require(checked.status == 0, "\(checked.output)")
      try await Self.expectChildren(["node", web + "/build/app.js"], in: "web", isTrusted: isTrusted)
    }
  }

  @Test func `operations without a name have that of their request, in letters and digits`() async throws {
    let requests = #"{"A/Home": "{ __typename }", "B/Home": "{ a: __typename }", "A/Größe": "{ b: __typename }", "#
    let documents = try Self.write(requests + #""A/Привет": "{ c: __typename }"}"#, to: "names/documents.json")
    let output = Self.folder.appendingPathComponent("names/names.ts")
    let result = try await Program.run("generate", "typescript", "--documents", documents, "--output", output.path)
    #expect(result.status == 0, "\(result.errors)")
    let text = try String(contentsOf: output, encoding: .utf8)
    for name in ["AHome", "BHome", "Grosse", "Privet"] {
      #expect(text.contains("export const \(name)Document = `query \(name) {"))
    }
  }

  @Test func `the manifest does not replace the saved requests`() async throws {
    let documents = try Self.write(Self.manifest, to: "manifest/documents.json")
    let output = Self.folder.appendingPathComponent("manifest/names.ts").path
    let result = try await Program.run(
      "generate",
      "typescript",
      "--documents",
      documents,
      "--output",
      output,
      "--manifest",
      documents
    )
    #expect(result.status != 0 && result.errors.contains("--manifest must not be the file of --documents."))
    #expect(try String(contentsOfFile: documents, encoding: .utf8) == Self.manifest)
  }
}
