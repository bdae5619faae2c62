import GraphQL
import Storage

/// `deleteAccount`: deactivates the account now, and erases the person thirty days later.
enum DeleteAccount {
  static let schedule = SQL<(person: GlobalID, eraseAt: Timestamp)>(
    "UPDATE person SET erase_at = \(\.eraseAt) WHERE id = \(\.person)"
  )

  /// In milliseconds.
  private struct Appointment: Sendable {
    let eraseAt: Int64
  }

  static let payload = Payload.binding(
    more: [
      "eraseAt": .property { (payload: Payload) in
        (payload.values.first as? Appointment).map { .int($0.eraseAt) } ?? .null
      }
    ]
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    try await form.requireSignInProof(of: viewer, in: context)
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    let (services, now) = (context.services, context.now)
    let eraseAt = now + AccountReturn.period
    try await context.write(as: viewer) { write in
      try DeactivateAccount.leave(viewer.member, unassignments: services.unassignments, in: write)
      try scheduleErasure(of: viewer.member, at: eraseAt, services: services, in: write.dated)
    }
    context.signOut()
    return Payload(values: [Appointment(eraseAt: eraseAt)])
  }

  /// Schedules the erasure of a person whose account is deactivated, and sends them a mail about it.
  static func scheduleErasure(of person: GlobalID, at eraseAt: Int64, services: Services, in write: DatedWrite) throws {
    try write.transaction.run(schedule, (person: person, eraseAt: Timestamp(eraseAt)))
    // Sent on behalf of the person, who is its recipient.
    let lane = services.mail.lane(network: nil, sender: .person(person))
    try services.mail.append(.accountDeletion, person: person, lane: lane, in: write)
    write.transaction.afterCommit { services.erasures.schedule(at: eraseAt) }
  }
}
