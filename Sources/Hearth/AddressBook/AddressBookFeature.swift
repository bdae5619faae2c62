import GraphQL

extension Feature {
  /// Finding people by a device's address book, or by friends at a provider.
  static let addressBooks = Feature(
    name: "address books",
    objects: [
      "AddressBookMatch": AddressBookMatch.binding,
      "MatchAddressBookPayload": AddressBookMatch.payload,
    ],
    mutations: [
      "matchAddressBook": AddressBookMatching.mutation,
      "matchFacebookFriends": FacebookFriends.mutation,
    ],
    services: [AddressBookMatching.service]
  )
}
