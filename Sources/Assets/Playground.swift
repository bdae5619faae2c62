import CAssets
@_exported import Playground

extension PlaygroundPage {
  /// Hearth's playground, with its icon, its examples and sign-in.
  fileprivate static let hearth: PlaygroundPage = {
    var page = PlaygroundPage()
    page.title = "Hearth"
    page.application = "hearth"
    page.account = Account(tab: text(playground_account_tab()), panel: text(playground_account_panel()))
    page.hasExamples = true
    for index in 0..<own_playground_file_count {
      let file = own_playground_file(index)
      page.replacements[file.name] = file.content
    }
    return page
  }()

  private static func text(_ file: EmbeddedFile) -> String { String(decoding: file.content, as: UTF8.self) }
}

extension Asset {
  /// All files of the playground and the schema, each served under its own `path`.
  package static let all: [Asset] = PlaygroundPage.hearth.assets + [schema]

  /// The page at `GET /graphql`. A server with demo data serves `demonstrationPage(people:)` instead.
  package static let playgroundPage = PlaygroundPage.hearth.asset

  /// The API's schema, as it is written in `schema.graphql`.
  package static let schema = Asset(
    "schema.graphql",
    below: PlaygroundPage.hearth.endpoint,
    bytes: PlaygroundPage.hearth.replacements["schema.graphql"] ?? []
  )

  /// The playground page, with buttons that sign in as given people.
  ///
  /// - Parameter people: A JSON array of `{"label", "email" or "username", "password"}`. Everybody who opens the page
  ///   can read it: use it for made-up people only.
  package static func demonstrationPage(people: String) -> Asset {
    var page = PlaygroundPage.hearth
    page.head = "<meta name=\"hearth-demo\" content=\"\(PlaygroundPage.escaped(people))\">"
    return page.asset
  }
}
