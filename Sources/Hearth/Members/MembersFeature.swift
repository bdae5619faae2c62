import GraphQL

extension Feature {
  /// People, as other people see them.
  static let members = Feature(
    name: "members",
    objects: [
      "Person": PersonType.binding,
      "PersonPayload": Payload.binding("person"),
    ],
    mutations: [
      "updateProfile": UpdateProfile.mutation
    ],
    lookups: [.person: PersonType.found]
  )
}
