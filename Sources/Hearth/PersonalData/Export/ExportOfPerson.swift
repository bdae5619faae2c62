import Storage

/// What an export has about an adult.
enum ExportOfPerson {
  static let account = ExportSection(
    "account",
    from: "person AS p JOIN account AS a ON a.id = p.id WHERE p.id = \(\.member)",
    columns: [
      "id": ("p.id", .id),
      "name": ("p.name", .text),
      "firstName": ("p.first_name", .text),
      "middleName": ("p.middle_name", .text),
      "lastName": ("p.last_name", .text),
      "dateOfBirth": ("p.date_of_birth", .text),
      "gender": ("p.gender", .choice(of: Gender.self)),
      "theme": ("p.theme", .choice(of: Theme.self)),
      "avatar": ("p.avatar", .picture),
      "memberSince": ("p.created_at", .moment),
      "currentCity": ("p.current_city", .text),
      "hometown": ("p.hometown", .text),
      "company": ("p.company", .text),
      "highSchools": ("p.high_schools", .lines),
      "colleges": ("p.colleges", .lines),
      "socialMedia": ("p.social_media", .lines),
      "joinedFamilyAt": ("p.joined_family_at", .moment),
      "invitedById": ("p.invited_by", .id),
      "email": ("a.email", .text),
      "emailVerified": ("a.email_verified", .boolean),
      "hidesEmail": ("a.hides_email", .boolean),
      "phone": ("a.phone", .text),
      "locale": ("a.locale", .text),
      "pendingEmail": ("(SELECT e.email FROM email_change AS e WHERE e.person_id = a.id)", .text),
    ]
  )

  static let family = ExportSection(
    "family",
    from: "family AS f WHERE f.id = \(\.family)",
    columns: [
      "id": ("f.id", .id),
      "name": ("f.name", .text),
      "timeZone": ("f.time_zone", .text),
      "createdAt": ("f.created_at", .moment),
    ]
  )

  static let identities = ExportSection(
    "identities",
    from: "identity WHERE person_id = \(\.member)",
    columns: [
      "provider": ("provider", .choice(of: IdentityProvider.self)),
      "subject": ("subject", .text),
      "email": ("email", .text),
      "linkedAt": ("linked_at", .moment),
    ]
  )

  static let contactInfo = ExportSection(
    "contactInfo",
    from: "contact_info WHERE person_id = \(\.member)",
    columns: [
      "id": ("id", .id),
      "scope": ("scope", .choice(of: Scope.self)),
      "kind": ("kind", .choice(of: ContactInfoKind.self)),
      "label": ("label", .text),
      "isPrimary": ("is_primary", .boolean),
      "value": ("value", .text),
      "countryCode": ("country_code", .text),
      "extension": ("extension", .text),
      "line2": ("line2", .text),
      "city": ("city", .text),
      "region": ("region", .text),
      "postalCode": ("postal_code", .text),
      "country": ("country", .text),
      "formatted": ("formatted", .text),
    ]
  )

  static let contacts = ExportSection(
    "contacts",
    from: "contact AS c JOIN person AS p ON p.id = c.person_id WHERE c.owner_id = \(\.member)",
    columns: [
      "id": ("c.id", .id),
      "personId": ("c.person_id", .id),
      "name": ("p.name", .text),
      "sharing": ("c.sharing", .scopes),
      "since": ("c.since", .moment),
    ]
  )

  static let contactRequests = ExportSection(
    "contactRequests",
    from: """
      contact_request AS r JOIN person AS f ON f.id = r.from_id LEFT JOIN person AS t ON t.id = r.to_id \
      WHERE r.from_id = \(\.member) OR r.to_id = \(\.member)
      """,
    columns: [
      "id": ("r.id", .id),
      "fromId": ("r.from_id", .id),
      "fromName": ("f.name", .text),
      "toId": ("r.to_id", .id),
      "toName": ("t.name", .text),
      "offered": ("r.offered", .scopes),
      "requested": ("r.requested", .scopes),
      "message": ("r.message", .text),
      "invitedEmail": ("r.invited_email", .text),
      "createdAt": ("r.created_at", .moment),
    ]
  )

  static let rejectedRequests = ExportSection(
    "rejectedRequests",
    from: "contact_rejection AS r JOIN person AS p ON p.id = r.from_id WHERE r.to_id = \(\.member)",
    columns: [
      "fromId": ("r.from_id", .id),
      "fromName": ("CASE WHEN p.deactivated_at IS NULL THEN p.name END", .text),
      "rejectedAt": ("r.rejected_at", .moment),
    ]
  )

  static let groups = ExportSection(
    "groups",
    from: "group_member AS m JOIN person_group AS g ON g.id = m.group_id WHERE m.person_id = \(\.member)",
    columns: [
      "id": ("g.id", .id),
      "name": ("g.name", .text),
      "description": ("g.description", .text),
      "hometown": ("g.hometown", .text),
      "role": ("m.role", .choice(of: GroupRole.self)),
      "joinedAt": ("m.joined_at", .moment),
      "invitedById": ("m.invited_by", .id),
      "sharing": ("g.sharing & m.sharing", .scopes),
      "isCreator": ("g.created_by = m.person_id", .boolean),
    ]
  )

  static let groupJoinRequests = ExportSection(
    "groupJoinRequests",
    from: "group_join_request AS r JOIN person_group AS g ON g.id = r.group_id WHERE r.person_id = \(\.member)",
    columns: [
      "id": ("r.id", .id),
      "groupId": ("r.group_id", .id),
      "groupName": ("g.name", .text),
      "sharing": ("g.sharing & r.sharing", .scopes),
      "requestedAt": ("r.requested_at", .moment),
    ]
  )

  static let familyInvitations = ExportSection(
    "familyInvitations",
    from: "family_invitation WHERE invited_by = \(\.member) OR claimed_by = \(\.member)",
    columns: [
      "id": ("id", .id),
      // The address and the inviter are visible to the family only: see `FamilyInvitationColumn`.
      "email": ("CASE WHEN family_id = \(\.family) THEN email END", .text),
      "invitedById": ("CASE WHEN family_id = \(\.family) THEN invited_by END", .id),
      "createdAt": ("created_at", .moment),
      "expiresAt": ("expires_at", .moment),
      "claimedById": ("claimed_by", .id),
      "claimedAt": ("claimed_at", .moment),
    ]
  )

  static let parentRemovals = ExportSection(
    "parentRemovals",
    from: "parent_removal WHERE person_id = \(\.member) OR requested_by = \(\.member)",
    columns: [
      "id": ("id", .id),
      "personId": ("person_id", .id),
      "requestedById": ("requested_by", .id),
      "requestedAt": ("requested_at", .moment),
      "effectiveAt": ("effective_at", .moment),
    ]
  )

  static let formerFamilies = ExportSection(
    "formerFamilies",
    from: "former_parent AS x JOIN family AS f ON f.id = x.family_id WHERE x.person_id = \(\.member)",
    columns: [
      "id": ("f.id", .id),
      // A family can have been renamed since the person left, so only one that they have joined again has its name
      // here.
      "name": ("CASE WHEN f.id = \(\.family) THEN f.name END", .text),
      "leftAt": ("x.left_at", .moment),
    ]
  )

  static let mails = ExportSection(
    "mails",
    from: "mail WHERE person_id = \(\.member)",
    columns: [
      "kind": ("kind", .number),
      "address": ("address", .text),
      "createdAt": ("created_at", .moment),
      // An invitation is not sent to the address of a deactivated account, or to one whose owner has stopped
      // invitations. Whether it was sent would show that.
      "sentAt": ("CASE WHEN \(Mail.isInvitation()) THEN NULL ELSE sent_at END", .moment),
    ]
  )

  static let pointsGiven = ExportSection(
    "pointsGiven",
    from: "finished_chore WHERE family_id = \(\.family) AND assigned_by = \(\.member)",
    columns: [
      "id": ("id", .id),
      "childId": ("child_id", .id),
      "choreId": ("chore_id", .id),
      "points": ("points", .number),
      "finishedAt": ("finished_at", .moment),
    ]
  )

  static let sections = [
    account, family, identities, contactInfo, contacts, contactRequests, rejectedRequests, groups, groupJoinRequests,
    familyInvitations, parentRemovals, formerFamilies, mails, pointsGiven,
  ]
}
