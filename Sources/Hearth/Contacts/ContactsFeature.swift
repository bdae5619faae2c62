import GraphQL

extension Feature {
  /// The contact book: requests, invitations, contacts and what they share with each other.
  static let contacts = Feature(
    name: "contacts",
    objects: [
      "Contact": ContactType.binding,
      "ContactPayload": Payload.binding("contact"),
      "ContactRequest": ContactRequestType.binding,
      "ContactRequestPayload": Payload.binding("contactRequest", "contact"),
      "ContactConnection": .connection,
      "ContactEdge": .edge,
      "ContactRequestConnection": .connection,
      "ContactRequestEdge": .edge,
    ],
    mutations: [
      "requestContact": RequestContact.mutation,
      "inviteContact": ContactInvitation.invite,
      "acceptContactRequest": AcceptContact.mutation,
      "acceptContact": AcceptContact.mutation,
      "rejectContactRequest": EndContactRequest.reject,
      "rejectContact": EndContactRequest.reject,
      "cancelContactRequest": EndContactRequest.cancel,
      "updateContact": SetSharing.mutation,
      "setSharing": SetSharing.mutation,
      "removeContact": RemoveContact.mutation,
    ],
    sweeps: [Sweep(ContactRejection.sweep)]
  )
}
