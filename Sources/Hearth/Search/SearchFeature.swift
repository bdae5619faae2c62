import GraphQL

extension Feature {
  /// Searching people and groups by name.
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
