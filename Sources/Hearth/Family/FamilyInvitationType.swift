import GraphQL
import Storage

/// Whether somebody waits for a parent to confirm them.
enum FamilyInvitationStatus: String, StoredEnumeration {
  case sent = "SENT", awaitingConfirmation = "AWAITING_CONFIRMATION"
}

enum FamilyInvitationColumn: Int, StoredColumns {
  case id, email, invitedBy, status, createdAt, expiresAt, claimedBy, claimedAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    // The family's own: not for the person who waits.
    case .email: .text("iif(i.family_id = ?2, i.email, NULL)")
    case .invitedBy: .key("iif(i.family_id = ?2, i.invited_by, NULL)")
    case .status:
      .enumeration(
        """
        iif(i.claimed_by IS NULL, \(FamilyInvitationStatus.sent.stored), \
        \(FamilyInvitationStatus.awaitingConfirmation.stored))
        """,
        FamilyInvitationStatus.self
      )
    case .createdAt: .dateTime("i.created_at")
    case .expiresAt: .dateTime("i.expires_at")
    case .claimedBy: .key("i.claimed_by")
    case .claimedAt: .dateTime("i.claimed_at")
    }
  }
}

/// An open invitation: visible to the family's parents and, without what is the family's, to the person who waits.
enum FamilyInvitationType {
  static let stored = StoredType(key: "i.id", FamilyInvitationColumn.self)
  private static let isOfParent = "?3 & 63 = \(Kind.person.rawValue)"
  static let byKey = Loader.byKey(
    stored,
    from: """
      family_invitation AS i ON i.id = k.value \
      WHERE i.expires_at > ?4 AND (i.claimed_by = ?3 OR (i.family_id = ?2 AND \(isOfParent)))
      """
  )
  /// The oldest first, which is the order of the index.
  static let byFamily = Loader.byParent(
    stored,
    from: """
      family_invitation AS i INDEXED BY family_invitation_by_family ON i.family_id = k.value \
      WHERE k.value = ?2 AND \(isOfParent) AND i.expires_at > ?4
      """
  )

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(FamilyInvitationColumn.id),
      "email": .stored(FamilyInvitationColumn.email),
      "invitedBy": .reference(FamilyInvitationColumn.invitedBy),
      "status": .stored(FamilyInvitationColumn.status),
      "createdAt": .stored(FamilyInvitationColumn.createdAt),
      "expiresAt": .stored(FamilyInvitationColumn.expiresAt),
      "claimedBy": .reference(FamilyInvitationColumn.claimedBy),
      "claimedAt": .stored(FamilyInvitationColumn.claimedAt),
    ]
  )
}
