import GraphQL

extension Feature {
  /// The ledger of points, and corrections of it.
  static let points = Feature(
    name: "points",
    objects: [
      "PointEntry": PointEntryType.binding,
      "PointEntryConnection": .connection,
      "PointEntryEdge": .edge,
      "CorrectPointsPayload": Payload.binding("entry", "member"),
      "PointsChanged": FeedEventType.subject("member"),
    ],
    mutations: ["correctPoints": CorrectPoints.mutation]
  )
}
