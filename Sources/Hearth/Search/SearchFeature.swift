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
      "search": .connection(SearchPages.order) { _, pageQuery, context in try SearchPages.page(pageQuery, in: context) }
    ],
    services: [SearchIndex.renewal]
  )
}
