import Foundation
import Testing

@testable import Assets

@Suite("Playground")
struct PlaygroundTests {
  /// The only third-party file.
  static let vendored = "/graphql/playground/codemirror.js"
  static let scripts = Asset.all.filter { $0.path.hasSuffix(".js") && $0.path != vendored }

  @Test(arguments: Asset.all)
  func `every asset is text, with its response headers`(asset: Asset) throws {
    let text = try #require(String(validating: asset.bytes, as: UTF8.self))
    #expect(!text.isEmpty)
    #expect(asset.path.hasPrefix("/graphql"))
    #expect(asset.entityTag.wholeMatch(of: /"[0-9a-z-]+"/) != nil)
    #expect(asset.mediaType.hasPrefix(try #require(mediaTypes[(asset.path as NSString).pathExtension])))
  }

  @Test func `no two assets share a path or an entity tag`() {
    #expect(Set(Asset.all.map(\.path)).count == Asset.all.count)
    #expect(Set(Asset.all.map(\.entityTag)).count == Asset.all.count)
  }

  @Test func `an entity tag is the same in every process and another one for other bytes`() {
    func tag(_ text: String) -> String { Asset(path: "/", mediaType: "", bytes: Array(text.utf8)).entityTag }
    #expect(tag("") == "\"cbf29ce484222325-0\"")
    #expect(tag("a") == "\"af63dc4c8601ec8c-1\"")
    #expect(tag("b") != tag("a"))
  }

  @Test func `the page refers to assets only, and to all of them`() {
    let page = text(of: .playgroundPage)
    let referred = Set(page.matches(of: /(?:src|href)="([^"#][^"]*)"/).map { String($0.1) })
    #expect(referred == Set(Asset.all.map(\.path)).subtracting([Asset.playgroundPage.path]))
  }

  @Test func `the page has no script, style or handler in it`() {
    let page = text(of: .playgroundPage)
    #expect(page.firstMatch(of: /<style\b/) == nil)
    #expect(page.firstMatch(of: /\sstyle\s*=/) == nil)
    #expect(page.firstMatch(of: /\son\w+\s*=/) == nil)
    #expect(page.firstMatch(of: /javascript:/) == nil)
    #expect(page.matches(of: /<script\b/).count == page.matches(of: /<script\b[^>]* src="[^"]+"><\/script>/).count)
  }

  @Test(arguments: Asset.all.filter { $0.path != "/graphql/schema.graphql" })
  func `no asset names another origin`(asset: Asset) {
    let namespace = "http://www.w3.org/2000/svg"
    let text = text(of: asset).replacing(namespace, with: "")
    #expect(text.firstMatch(of: /\b[a-z]+:\/\/|["'(]\/\//) == nil)
    #expect(text.firstMatch(of: /@import|\beval\b|new Function|innerHTML|setAttribute\("style"/) == nil)
  }

  @Test func `every import is of an existing module`() {
    let paths = Set(Self.scripts.map(\.path) + [Self.vendored])
    for script in Self.scripts {
      for found in text(of: script).matches(of: /from "([^"]+)"/) {
        let base = URL(filePath: script.path, directoryHint: .notDirectory).deletingLastPathComponent()
        #expect(paths.contains(base.appending(path: String(found.1)).standardized.path()), "\(script.path): \(found.1)")
      }
    }
  }

  @Test func `every id that the scripts use is on the page, and the field of every label`() {
    let page = text(of: .playgroundPage)
    let ids = page.matches(of: /\bid="([^"]+)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    let scripts = Self.scripts.map(text).joined()
    let asked = scripts.matches(of: /\b(?:element|getElementById)\("([^"]+)"\)/).map { String($0.1) }
    let labelled = page.matches(of: /\b(?:for|aria-labelledby)="([^"]+)"/).map { String($0.1) }
    #expect(asked.count > 10)
    #expect(Set(asked + labelled).subtracting(ids) == [])
  }

  @Test func `the page is small, without and with the editor's library`() {
    let files = Asset.all.filter { $0.path != Asset.schema.path }
    let ours = files.filter { $0.path != Self.vendored }
    #expect(ours.map(\.bytes.count).reduce(0, +) < 406_000)
    #expect(files.map(\.bytes.count).reduce(0, +) < 778_000)
  }

  @Test func `demo people are put into the page's head, escaped`() throws {
    let page = Asset.demonstrationPage(people: #"[{"label":"\"><script>&","password":"p"}]"#)
    let text = try #require(String(validating: page.bytes, as: UTF8.self))
    let head = try #require(text.firstMatch(of: /<meta name="hearth-demo" content="([^"]*)">/))
    #expect(
      head.1 == "[{&quot;label&quot;:&quot;\\&quot;&gt;&lt;script&gt;&amp;&quot;,&quot;password&quot;:&quot;p&quot;}]"
    )
    #expect(try #require(text.firstRange(of: "</head>")).lowerBound > head.range.lowerBound)
    #expect(!text.contains("HEARTH_DEMO"))
    #expect(page.entityTag != Asset.playgroundPage.entityTag)
    #expect(!self.text(of: .playgroundPage).contains("hearth-demo"))
  }

  private let mediaTypes = [
    "": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "graphql": "text/plain",
    "html": "text/html",
  ]

  private func text(of asset: Asset) -> String { String(decoding: asset.bytes, as: UTF8.self) }
}

extension Asset: CustomTestStringConvertible {
  public var testDescription: String { path }
}
