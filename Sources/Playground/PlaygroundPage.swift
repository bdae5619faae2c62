import CPlayground

/// The playground of an application: the page at the endpoint, and the files that it loads.
package struct PlaygroundPage: Sendable {
  /// The path of the endpoint. The files are below it.
  package var endpoint = "/graphql"
  /// The title in the heading of the page.
  package var title = "GraphQL"
  /// The prefix of the keys under which the browser stores the state of the page: letters only.
  package var application = "graphql"
  /// Further elements of the page's head, as HTML.
  package var head = ""
  /// The sign-in form as HTML, for applications that provide the files for it.
  package var account: Account?
  /// Whether the application provides a file with examples.
  package var hasExamples = false
  /// Files that replace those of the playground, keyed by their names below the endpoint.
  package var replacements: [String: [UInt8]] = [:]

  package struct Account: Sendable {
    package var tab: String
    package var panel: String

    package init(tab: String, panel: String) {
      self.tab = tab
      self.panel = panel
    }
  }

  package init() {}

  /// The page.
  package var asset: Asset { Asset("", below: endpoint, bytes: Array(html.utf8)) }

  /// The page and the files that it loads. The schema is not among them.
  package var assets: [Asset] {
    Self.files.map { name, bytes in
      name.isEmpty ? asset : Asset(name, below: endpoint, bytes: replacements[name] ?? bytes)
    }
  }

  /// The `Content-Security-Policy` of the page and its files: no inline scripts, and nothing from other origins.
  ///
  /// A policy cannot name a document without its host: of this origin, only `ScriptFrame` permits frames around it.
  package static let securityPolicy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  private static let files: [(name: String, bytes: [UInt8])] = (0..<playground_file_count).map { index in
    let file = playground_file(index)
    return (file.name, file.content)
  }

  // MARK: The page

  private static let template = files.first { $0.name.isEmpty }.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""

  private var html: String {
    let values = [
      "application": Self.escaped(application),
      "endpoint": Self.escaped(endpoint),
      "title": Self.escaped(title),
      "head": head,
      "session-state": account == nil ? "" : #"<p id="session-state" role="status">Not signed in</p>"#,
      "account-tab": account?.tab ?? "",
      "account-panel": account?.panel ?? "",
      // The first tab is selected.
      "docs-tab": account == nil ? #"aria-selected="true""# : #"aria-selected="false" tabindex="-1""#,
      "docs-panel": account == nil ? "" : " hidden",
      "examples-tab": hasExamples ? Self.examplesTab : "",
      "examples-panel": hasExamples ? Self.examplesPanel : "",
    ]
    var html = ""
    var rest = Self.template[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      html += rest[..<start.lowerBound]
      html += values[String(rest[start.upperBound..<end.lowerBound])] ?? ""
      rest = rest[end.upperBound...]
    }
    return html + rest
  }

  private static let examplesTab = """
            <button type="button" role="tab" id="tab-examples" aria-controls="examples-panel" aria-selected="false" \
    tabindex="-1">Examples</button>

    """

  private static let examplesPanel = """
          <div id="examples-panel" class="inside" role="tabpanel" aria-labelledby="tab-examples" tabindex="0" hidden>
            <ul id="examples" class="choices"></ul>
          </div>

    """

  /// Escapes a text for HTML, including attributes in double quotes.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
