import GraphQL
import Storage

/// `requestContact`: sends a request, or accepts the one that the person has sent to the viewer.
enum RequestContact {
  static let isActive = SQL<GlobalID>("SELECT 1 FROM person WHERE id = \(\.self) AND deactivated_at IS NULL")

  private static let form = ArgumentForm.input(
    required: ["personId", "offer"],
    renamed: ["sharing": "offer", "requestedSharing": "request"]
  )

  static let mutation = FieldBinding.mutation(form) { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    let person = context.cipher.person(of: form["personId"])
    let request = ContactRequest.NewRequest(
      from: viewer.member,
      offered: Scopes(form["offer"]),
      requested: Scopes(form["request"]),
      message: form.lines("message", subject: "A message")
    )
    if person == viewer.member {
      form.reject("personId", code: .notAllowed, reason: .isViewer, message: "This is you.")
    }
    let (inputErrors, limits) = (form.errors, context.services.rateLimits)
    return try await context.write { write in
      guard let person, try person == viewer.member || write.reader.hasRow(isActive, person) else {
        let missing = UserError(field: ["personId"], code: .notFound, message: "No person has this id.")
        throw RejectedInput([missing] + inputErrors.filter { $0.field != ["personId"] })
      }
      guard inputErrors.isEmpty else { throw RejectedInput(inputErrors) }
      return try send(request, to: person, field: ["personId"], limits, in: write)
    }
  }

  /// Sends a request to `person`. Accepts their open request to the sender instead, if there is one. An earlier open
  /// request stays unchanged.
  static func send(
    _ request: ContactRequest.NewRequest,
    to person: GlobalID,
    field: [String],
    _ limits: RateLimits,
    in write: DatedWrite
  ) throws -> Payload {
    if try ContactBook.contact(of: request.from, with: person, from: write.reader) != nil {
      throw RejectedInput(field, code: .conflict, message: "This person is in your address book already.")
    }
    if let open = try ContactRequest.find(between: request.from, other: person, from: write.reader) {
      guard open.from == person else { return Payload(["contactRequest": [open.key]]) }
      let contact = try AcceptContact.accept(open, by: request.from, request.offered, field: field, in: write)
      return Payload(["contact": [contact]])
    }
    if let days = try ContactRejection.daysLeft(of: request.from, for: person, at: write.now, from: write.reader) {
      throw RejectedInput(
        field,
        code: .notAllowed,
        reason: .tooSoon,
        message: "You have sent this person a request already: you can send another in \(days: days)."
      )
    }
    try limits.takeRequest(from: request.from, to: person, in: write)
    let key = try ContactRequest.insert(request, to: person, field: field, in: write)
    // Sending a request lifts the earlier rejection of the recipient's requests.
    try write.transaction.run(ContactRejection.delete, (from: person, to: request.from))
    try Notifications.notify(person, kind: .contactRequestNotification, about: key, by: request.from, in: write)
    return Payload(["contactRequest": [key]])
  }
}
