import GraphQL

extension Feature {
  /// Finding people and groups by their names.
  static let search = Feature(
    name: "search",
    objects: [
      "SearchResultConnection": .connection,
      "SearchResultEdge": .edge,
    ],
    queries: [
      "search": .connection(SearchPages.order) { _, asked, context in try SearchPages.page(asked, context) }
    ]
  )
}
