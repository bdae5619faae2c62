import Storage

extension Migration {
  /// The mail of an invitation to become a contact is found by the invitation. Its time is no key: `hearth mail retry`
  /// changes it.
  static let mailsOfContactInvitations = Migration(
    38,
    name: "mails of contact invitations",
    sql: "CREATE INDEX mail_contact_invitations ON mail (subject_id) WHERE kind = 5;",
    postgreSQL: "CREATE INDEX mail_contact_invitations ON mail (subject_id) WHERE kind = 5;",
    isExpansion: true
  )
}
