import GraphQL

/// The members of the union `FamilyEvent`.
enum FamilyEventType {
  static let pointsAssigned = ObjectBinding(fields: [
    "child": .keys { (event: FamilyEvent) in [event.subject] },
    "finishedChores": .keys { (event: FamilyEvent) in event.details },
  ])

  static func subject(_ field: String) -> ObjectBinding {
    ObjectBinding(fields: [field: .keys { (event: FamilyEvent) in [event.subject] }])
  }

  static func removed(_ field: String) -> ObjectBinding {
    ObjectBinding(fields: [
      field: .leaf(needs: []) { view in
        guard let event = view.value(as: FamilyEvent.self) else { return .null }
        return .string(request(view.context).cipher.text(of: event.subject))
      }
    ])
  }
}
