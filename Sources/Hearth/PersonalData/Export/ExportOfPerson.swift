import Storage

/// What an export has about an adult.
enum ExportOfPerson {
  static let account = SQL<MemberKey>(
    """
    SELECT p.id, p.name, p.first_name, p.middle_name, p.last_name, p.date_of_birth, p.gender, p.theme, \
    p.avatar, p.created_at, p.current_city, p.hometown, p.company, p.high_schools, p.colleges, \
    p.social_media, p.joined_family_at, p.invited_by, a.email, a.email_verified, a.hides_email, a.phone, a.locale, \
    (SELECT e.email FROM email_change AS e WHERE e.person_id = a.id) FROM \
    person AS p JOIN account AS a ON a.id = p.id WHERE p.id = \(\.member)
    """
  )

  static let family = SQL<MemberKey>(
    """
    SELECT f.id, f.name, f.time_zone, f.created_at FROM family AS f WHERE f.id = \(\.family)
    """
  )

  static let identities = SQL<MemberKey>(
    """
    SELECT provider, subject, email, linked_at FROM identity WHERE person_id = \(\.member)
    """
  )

  static let contactInfo = SQL<MemberKey>(
    """
    SELECT id, scope, kind, label, is_primary, value, country_code, extension, line2, city, region, \
    postal_code, country, formatted FROM contact_info WHERE person_id = \(\.member)
    """
  )

  static let contacts = SQL<MemberKey>(
    """
    SELECT c.id, c.person_id, p.name, c.sharing, c.since FROM contact AS c JOIN person AS p ON p.id = \
    c.person_id WHERE c.owner_id = \(\.member)
    """
  )

  static let contactRequests = SQL<MemberKey>(
    """
    SELECT r.id, r.from_id, f.name, r.to_id, t.name, r.offered, r.requested, r.message, r.invited_email, \
    r.created_at FROM contact_request AS r JOIN person AS f ON f.id = r.from_id LEFT JOIN person AS t ON \
    t.id = r.to_id WHERE r.from_id = \(\.member) OR r.to_id = \(\.member)
    """
  )

  static let rejectedRequests = SQL<MemberKey>(
    """
    SELECT r.from_id, CASE WHEN p.deactivated_at IS NULL THEN p.name END, r.rejected_at \
    FROM contact_rejection AS r JOIN person AS p ON p.id = r.from_id WHERE r.to_id = \(\.member)
    """
  )

  static let groups = SQL<MemberKey>(
    """
    SELECT g.id, g.name, g.description, g.hometown, m.role, m.joined_at, m.invited_by, \
    g.sharing & m.sharing, \
    g.created_by = m.person_id FROM group_member AS m JOIN person_group AS g ON g.id = m.group_id WHERE \
    m.person_id = \(\.member)
    """
  )

  static let groupJoinRequests = SQL<MemberKey>(
    """
    SELECT r.id, r.group_id, g.name, g.sharing & r.sharing, r.requested_at FROM group_join_request AS r JOIN \
    person_group AS g ON g.id = r.group_id WHERE r.person_id = \(\.member)
    """
  )

  /// The address and the inviter are visible to the family only: see `FamilyInvitationColumn`.
  static let familyInvitations = SQL<MemberKey>(
    """
    SELECT id, CASE WHEN family_id = \(\.family) THEN email END, \
    CASE WHEN family_id = \(\.family) THEN invited_by END, created_at, expires_at, claimed_by, claimed_at \
    FROM family_invitation WHERE invited_by = \(\.member) OR claimed_by = \(\.member)
    """
  )

  static let parentRemovals = SQL<MemberKey>(
    """
    SELECT id, person_id, requested_by, requested_at, effective_at FROM parent_removal WHERE person_id = \
    \(\.member) OR requested_by = \(\.member)
    """
  )

  /// A family can have been renamed since the person left, so only one that they have joined again has its name here.
  static let formerFamilies = SQL<MemberKey>(
    """
    SELECT f.id, CASE WHEN f.id = \(\.family) THEN f.name END, x.left_at FROM former_parent AS x \
    JOIN family AS f ON f.id = x.family_id WHERE x.person_id = \(\.member)
    """
  )

  /// An invitation is not sent to the address of a deactivated account, or to one whose owner has stopped invitations.
  /// Whether it was sent would show that.
  static let mails = SQL<MemberKey>(
    """
    SELECT kind, address, created_at, \
    CASE WHEN \(Mail.isInvitation()) THEN NULL ELSE sent_at END FROM mail \
    WHERE person_id = \(\.member)
    """
  )

  static let pointsGiven = SQL<MemberKey>(
    """
    SELECT id, child_id, chore_id, points, finished_at FROM finished_chore WHERE family_id = \(\.family) AND \
    assigned_by = \(\.member)
    """
  )
}
