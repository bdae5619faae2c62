import GraphQL

/// The members of the unions `FamilyEvent` and `AccountEvent`.
enum FeedEventType {
  static let pointsAssigned = ObjectBinding(fields: [
    "child": .keys { (event: FeedEvent) in [event.subject] },
    "finishedChores": .keys { (event: FeedEvent) in event.details },
  ])

  static func subject(_ field: String) -> ObjectBinding {
    ObjectBinding(fields: [field: .keys { (event: FeedEvent) in [event.subject] }])
  }

  static func removed(_ field: String) -> ObjectBinding {
    ObjectBinding(fields: [
      field: .leaf(needs: []) { view in
        guard let event = view.value(as: FeedEvent.self) else { return .null }
        return .string(request(view.context).cipher.text(of: event.subject))
      }
    ])
  }
}
