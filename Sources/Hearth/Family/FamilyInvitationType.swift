import GraphQL
import Storage

/// Whether a person waits for confirmation by a parent.
enum FamilyInvitationStatus: String, StoredEnumeration {
  case sent = "SENT", awaitingConfirmation = "AWAITING_CONFIRMATION"
}

enum FamilyInvitationColumn: Int, StoredColumns {
  case id, email, invitedBy, status, createdAt, expiresAt, claimedBy, claimedAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    // These are visible to the family only, and not to the person who waits.
    case .email: .text("CASE WHEN i.family_id = \(\.family) THEN i.email END")
    case .invitedBy: .key("CASE WHEN i.family_id = \(\.family) THEN i.invited_by END")
    case .status:
      .enumeration(
        """
        CASE WHEN i.claimed_by IS NULL THEN \(FamilyInvitationStatus.sent) \
        ELSE \(FamilyInvitationStatus.awaitingConfirmation) END
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

/// An open invitation: visible to the family's parents and, without the family's own data, to the person who waits for
/// confirmation.
enum FamilyInvitationType {
  static let stored = StoredType(key: "i.id", FamilyInvitationColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: """
      family_invitation AS i ON i.id = k.value \
      WHERE i.expires_at > \(\.now) AND (i.claimed_by = \(\.viewer) OR (i.family_id = \(\.family) AND \(Kind.person.isKind(of: "\(\.viewer)"))))
      """
  )
  /// Oldest first, which is the order of the index.
  static let byFamily = Loader.byParent(
    stored,
    from: """
      family_invitation AS i \(index: "family_invitation_by_family") ON i.family_id = k.value \
      WHERE k.value = \(\.family) AND \(Kind.person.isKind(of: "\(\.viewer)")) AND i.expires_at > \(\.now)
      """,
    order: "i.id"
  )

  static let binding = ObjectBinding(
    byKey,
    fields: [
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
