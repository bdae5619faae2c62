import GraphQL

extension Feature {
  /// Telephone numbers, addresses and other contact details of people.
  static let contactInfo = Feature(
    name: "contact details",
    objects: [
      "ContactInfo": ContactInfoType.binding,
      "ContactInfoPayload": Payload.binding("contactInfo"),
      "PhoneNumber": PhoneNumber.binding,
      "PostalAddress": PostalAddress.binding,
    ],
    mutations: [
      "addContactInfo": AddContactInfo.mutation,
      "updateContactInfo": UpdateContactInfo.mutation,
      "removeContactInfo": RemoveContactInfo.mutation,
    ]
  )
}
