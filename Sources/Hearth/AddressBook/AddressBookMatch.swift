import GraphQL

/// The person that an entry of an address book refers to.
struct AddressBookMatch: Sendable {
  let entry: String
  let person: GlobalID?
  let isInvited: Bool
  let relation: Relation

  static let binding = ObjectBinding(fields: [
    "entry": .property { (match: AddressBookMatch) in .string(match.entry) },
    "person": .keys { (match: AddressBookMatch) in match.person.map { [$0] } ?? [] },
    "invited": .property { (match: AddressBookMatch) in .boolean(match.isInvited) },
    "relation": .property { (match: AddressBookMatch) in .string(match.relation.rawValue) },
  ])

  static let payload = Payload.binding(more: [
    "matches": .values { (payload: Payload) in payload.values }
  ])
}

extension Payload {
  init(matches: [AddressBookMatch]) { self.init(values: matches) }
}
