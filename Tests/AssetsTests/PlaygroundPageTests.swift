import Playground
import Testing

@Suite("The playground of any application")
struct PlaygroundPageTests {
  private let page: PlaygroundPage = {
    var page = PlaygroundPage()
    page.endpoint = "/api"
    page.title = "Zoo <&>"
    return page
  }()

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `every file is below the endpoint, and the page refers to all of them`() {
    let html = text(page.asset.bytes)
    #expect(page.asset.path == "/api")
    let referred = Set(html.matches(of: /(?:src|href)="([^"#][^"]*)"/).map { String($0.1) })
    #expect(referred == Set(page.assets.map(\.path)).subtracting(["/api"]).union(["/api/schema.graphql"]))
    #expect(Asset.schema("type Query", below: "/api").path == "/api/schema.graphql")
  }

  @Test func `the page has the application's title, and nothing of another application`() {
    let html = text(page.asset.bytes)
    #expect(html.contains("<title>Zoo &lt;&amp;&gt; playground</title>"))
    #expect(html.contains(#"data-application="graphql" data-endpoint="/api""#))
    for asset in page.assets where !asset.path.hasSuffix("codemirror.js") {
      let text = text(asset.bytes)
      #expect(!text.lowercased().contains("hearth") && !text.contains("/graphql\""), "\(asset.path)")
    }
    #expect(!html.contains("{{") && !html.contains("sign-out") && !html.contains(#"id="examples""#))
    #expect(html.contains(#"id="tab-docs" aria-controls="docs-panel" aria-selected="true""#))
  }

  @Test func `every id that its scripts use is on the page`() {
    let html = text(page.asset.bytes)
    let ids = Set(html.matches(of: /\bid="([^"]+)"/).map { String($0.1) })
    let scripts = page.assets.filter { $0.path.hasSuffix(".js") && !$0.path.hasSuffix("codemirror.js") }
    let asked = scripts.flatMap { text($0.bytes).matches(of: /\b(?:element|getElementById)\("([^"]+)"\)/) }
      .map { String($0.1) }
    // Used by examples, of which there are none.
    #expect(Set(asked).subtracting(ids) == ["examples"])
  }

  @Test func `an application's files replace the playground's`() {
    var page = page
    page.replacements["playground/examples.js"] = Array("export const examples = [1];".utf8)
    page.hasExamples = true
    page.account = PlaygroundPage.Account(tab: "<b>tab</b>", panel: "<b>panel</b>")
    page.head = "<meta>"
    let html = text(page.asset.bytes)
    for part in ["<b>tab</b>", "<b>panel</b>", "<meta>", #"id="examples""#, #"id="session-state""#] {
      #expect(html.contains(part))
    }
    let examples = page.assets.first { $0.path == "/api/playground/examples.js" }
    #expect(examples.map { text($0.bytes) } == "export const examples = [1];")
  }
}
