import Foundation
import TestSupport
import Testing

/// The static site that `Scripts/documentation` builds from the Markdown files.
@Suite("The documentation's site", .timeLimit(.minutes(10)))
struct SiteTests {
  private static func build(in folder: String) async throws -> PythonScript.Outcome {
    try await PythonScript.run("../Documentation/generator/build_site.py", folder)
  }

  @Test(.enabled(if: PythonScript.has("markdown_it"), "Scripts/test installs markdown-it-py"))
  func `every link leads to a page and a heading, and nothing is loaded from elsewhere`() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path + "/site"
    let outcome = try await Self.build(in: folder)
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
    var pages: [String: String] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init()
    where path.hasSuffix(".html") {
      pages[path] = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }
    #expect(pages.count > 20 && pages["index.html"] != nil)
    for (path, text) in pages {
      for match in text.matches(of: /<(?:script|link|img)\b[^>]*?(?:src|href)="([^"]+)"/) {
        #expect(!match.1.contains("://"), "\(path) loads \(match.1)")
      }
      let base = URL(fileURLWithPath: "/\(path)").deletingLastPathComponent()
      for match in text.matches(of: /(?:href|src)="([^"]+)"/) where match.1.firstRange(of: /^[a-z]+:/) == nil {
        let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let file =
          parts[0].isEmpty ? "/\(path)" : base.appendingPathComponent(String(parts[0])).standardizedFileURL.path
        let target = String(file.dropFirst())
        #expect(FileManager.default.fileExists(atPath: "\(folder)/\(target)"), "\(path): \(match.1)")
        guard parts.count > 1, let other = pages[target] else { continue }
        #expect(other.contains(" id=\"\(parts[1])\""), "\(path): \(match.1)")
      }
    }
  }

  @Test(.enabled(if: PythonScript.has("markdown_it"), "Scripts/test installs markdown-it-py"))
  func `a link that leads nowhere is reported`() async throws {
    let outcome = try await PythonScript.run("Documentation/site_with_broken_links.py")
    #expect(outcome == .ok)
  }

  @Test(
    .enabled(if: PlaygroundTests.isAvailable && PythonScript.has("markdown_it"), "Scripts/test installs Chromium")
  )
  func `it can be read and searched without a network, on a desktop and a phone`() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path + "/site"
    #expect(try await Self.build(in: folder).status == 0)
    let pictures = Checkout.root.appendingPathComponent(".build/site-screenshots").path
    #expect(try await PythonScript.run("Documentation/site_in_browser.py", folder, pictures) == .ok)
  }
}
