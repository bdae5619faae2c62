import Storage

/// How invitations end.
extension FamilyInvitation {
  /// Deletes an invitation, and notifies the person who waits for confirmation.
  ///
  /// - Parameters:
  ///   - joiner: the person who becomes a parent with it, and is not rejected.
  ///   - actor: the person who ends it. The notification does not name them.
  static func end(_ key: GlobalID, joiner: GlobalID? = nil, by actor: GlobalID?, in write: DatedWrite) throws {
    guard let claimant = try FamilyInvitationRow.delete(key, in: write.transaction), claimant != joiner else { return }
    try Notifications.notify(claimant, kind: .familyInvitationRejectedNotification, by: actor, in: write)
  }

  /// Notifies the people who wait for confirmation when the invitation has expired, and returns their number. The
  /// invitation is kept until it is swept, so that its token is reported as expired.
  @Sendable static func endExpiredClaims(_ portion: Sweeper.Portion, in transaction: WriteTransaction) throws -> Int {
    let write = DatedWrite(at: portion.before, in: transaction)
    let claims = try write.reader.all(of: FamilyInvitationRow.expiredClaims, portion) { row in
      (invitation: row.key(0), person: row.key(1))
    }
    for (invitation, person) in claims {
      try FamilyInvitationRow.endClaim(of: person, on: invitation, in: transaction)
      try Notifications.notify(person, kind: .familyInvitationRejectedNotification, by: nil, in: write)
    }
    return claims.count
  }

  /// Ends all invitations of a family, including those whose token is older than the table.
  static func endAll(by actor: GlobalID?, in write: FamilyWrite) throws {
    try OneTimeToken.revoke(.familyInvitation, of: write.family, in: write.transaction)
    let keys = try write.reader.keys(of: FamilyInvitationRow.ofFamily, write.family)
    for key in keys { try end(key, by: actor, in: write.dated) }
  }

  /// Ends the invitations of a parent who leaves the family, so that they cannot be accepted any more. Returns their
  /// number.
  static func endAll(sentBy inviter: GlobalID, in write: FamilyWrite) throws -> Int {
    // Tokens that are older than the table may be from this parent.
    try OneTimeToken.revoke(.familyInvitation, of: write.family, in: write.transaction)
    let keys = try write.reader.keys(of: FamilyInvitationRow.ofInviter, (family: write.family, inviter: inviter))
    for key in keys { try end(key, by: inviter, in: write.dated) }
    return keys.count
  }
}
