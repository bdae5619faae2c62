import GraphQL

extension Feature {
  /// Contact details of people: phone numbers, e-mail addresses and postal addresses.
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
