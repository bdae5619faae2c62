import Foundation
import Testing

/// The pages for those who adopt Hearth or change it: what they link to and name exists.
@Suite("The pages for adopters")
struct AdopterPageTests {
  static let paths = [
    "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Documentation/versioning.md", "Documentation/packaging.md",
  ]

  @Test(arguments: paths)
  func `links lead to files and headings`(path: String) throws {
    let document = try Document(path)
    let folder = Checkout.root.appendingPathComponent(path).deletingLastPathComponent()
    for match in document.lines.joined(separator: "\n").matches(of: /\]\(([^)#\s]*)(?:#([^)]*))?\)/) {
      let target = String(match.1)
      if target.contains("://") { continue }
      let file =
        target.isEmpty
        ? Checkout.root.appendingPathComponent(path) : folder.appendingPathComponent(target).standardizedFileURL
      try #require(FileManager.default.fileExists(atPath: file.path), "\(path): \(target)")
      guard let heading = match.2 else { continue }
      let headings = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("#") }
      #expect(headings.map(Self.anchor).contains(String(heading)), "\(path): \(target)#\(heading)")
    }
  }

  /// The anchor that Markdown renderers make of a heading.
  private static func anchor(of heading: Substring) -> String {
    heading.drop { $0 == "#" }.dropFirst().lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
      .replacing(" ", with: "-")
  }

  @Test func `the recipes name files and tests that exist`() throws {
    let document = try Document("CONTRIBUTING.md")
    let tests = try Checkout.swiftFiles(in: "Tests").map { String($0.name.dropLast(".swift".count)) }
    var count = 0
    for code in document.lines.flatMap(Document.code) {
      if code.hasSuffix("Tests"), !code.contains("/") {
        #expect(tests.contains(code) || code == "HearthTests", "\(code)")
        count += 1
      } else if code.firstMatch(of: /^(?:Sources|Tests|Scripts|Documentation|Examples)\/[^ ]*/) != nil {
        let path = String(code.prefix { $0 != " " })
        #expect(FileManager.default.fileExists(atPath: Checkout.root.appendingPathComponent(path).path), "\(path)")
        count += 1
      }
    }
    #expect(count > 40)
  }

  @Test func `the guide's unit is that of the Debian package`() throws {
    let guide = try Document("Documentation/operating.md").block("ini").text
    let unit = try String(
      contentsOf: Checkout.root.appendingPathComponent("Packaging/hearth.service"),
      encoding: .utf8
    )
    #expect(guide.replacing("/usr/local/bin/hearth", with: "/usr/bin/hearth") + "\n" == unit)
  }
}
