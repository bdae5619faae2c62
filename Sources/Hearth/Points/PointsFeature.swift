import GraphQL

extension Feature {
  /// The ledger of points.
  static let points = Feature(
    name: "points",
    objects: [
      "PointEntry": PointEntryType.binding,
      "PointEntryConnection": .connection,
      "PointEntryEdge": .edge,
    ]
  )
}
