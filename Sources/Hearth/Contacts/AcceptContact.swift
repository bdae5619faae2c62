import GraphQL
import Storage

/// `acceptContactRequest`, formerly `acceptContact`: adds each person to the other's address book, with what each
/// shares.
enum AcceptContact {
  private static let form = ArgumentForm.input(required: ["requestId", "share"], renamed: ["sharing": "share"])

  static let mutation = FieldBinding.mutation(form) { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["requestId"])
    let sharing = Scopes(arguments["share"])
    let contact = try await context.write { write in
      guard let request = try ContactRequest.find(key, to: viewer.member, from: write.reader) else {
        throw RejectedInput([ContactRequest.notFound("requestId")])
      }
      return try accept(request, by: viewer.member, sharing, field: ["requestId"], in: write)
    }
    return Payload(["contact": [contact]])
  }

  /// Returns the contact in the address book of `person`.
  static func accept(
    _ request: ContactRequest.Found,
    by person: GlobalID,
    _ sharing: Scopes,
    field: [String],
    in write: DatedWrite
  ) throws -> GlobalID {
    let contacts = try ContactBook.connect(
      ContactBook.Side(person: person, sharing: sharing),
      with: ContactBook.Side(person: request.from, sharing: request.offered),
      field: field,
      in: write
    )
    write.record(.contactChanged, subject: contacts.own, for: person)
    write.record(.contactChanged, subject: contacts.others, for: request.from)
    try Notifications.notify(request.from, kind: .contactAcceptedNotification, by: person, in: write)
    return contacts.own
  }
}
