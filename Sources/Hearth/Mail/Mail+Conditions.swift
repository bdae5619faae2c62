import Storage

extension Mail {
  /// The condition that a mail is in a state. SQLite uses a partial index only if the statement has its condition, so
  /// the words of these are those of the indexes.
  static func condition<Parameters>(_ state: QueueState) -> SQLFragment<Parameters> {
    switch state {
    case .waiting: "turn IS NOT NULL"
    case .retrying: "turn IS NULL AND due_at IS NOT NULL"
    // `created_at > 0` is true of every mail. It makes SQLite search the index `mail_done`.
    case .failed: "due_at IS NULL AND created_at > 0 AND failed_at IS NOT NULL"
    }
  }

  /// The condition that a mail is an invitation.
  static func isInvitation<Parameters>() -> SQLFragment<Parameters> {
    "kind IN (\(MailKind.familyInvitation), \(MailKind.contactInvitation))"
  }

  /// The condition that a mail is an invitation by a person that waits or is tried again. It is that of the index
  /// `mail_invitations`.
  static func waitingInvitations<Parameters>(
    of person: KeyPath<Parameters, GlobalID>
  ) -> SQLFragment<Parameters> {
    "person_id = \(person) AND \(isInvitation()) AND due_at IS NOT NULL"
  }
}
