extension ExportOfPerson {
  static let sections: [ExportSection] = [
    ExportSection(
      "account",
      statement: account,
      columns: [
        "id": .id,
        "name": .text,
        "firstName": .text,
        "middleName": .text,
        "lastName": .text,
        "dateOfBirth": .text,
        "gender": .choice(of: Gender.self),
        "theme": .choice(of: Theme.self),
        "avatar": .picture,
        "memberSince": .moment,
        "currentCity": .text,
        "hometown": .text,
        "company": .text,
        "highSchools": .lines,
        "colleges": .lines,
        "socialMedia": .lines,
        "joinedFamilyAt": .moment,
        "invitedById": .id,
        "email": .text,
        "emailVerified": .boolean,
        "hidesEmail": .boolean,
        "phone": .text,
        "locale": .text,
        "pendingEmail": .text,
      ]
    ),
    ExportSection(
      "family",
      statement: family,
      columns: [
        "id": .id,
        "name": .text,
        "timeZone": .text,
        "createdAt": .moment,
      ]
    ),
    ExportSection(
      "identities",
      statement: identities,
      columns: [
        "provider": .choice(of: IdentityProvider.self),
        "subject": .text,
        "email": .text,
        "linkedAt": .moment,
      ]
    ),
    ExportSection(
      "contactInfo",
      statement: contactInfo,
      columns: [
        "id": .id,
        "scope": .choice(of: Scope.self),
        "kind": .choice(of: ContactInfoKind.self),
        "label": .text,
        "isPrimary": .boolean,
        "value": .text,
        "countryCode": .text,
        "extension": .text,
        "line2": .text,
        "city": .text,
        "region": .text,
        "postalCode": .text,
        "country": .text,
        "formatted": .text,
      ]
    ),
    ExportSection(
      "contacts",
      statement: contacts,
      columns: [
        "id": .id,
        "personId": .id,
        "name": .text,
        "sharing": .scopes,
        "since": .moment,
      ]
    ),
    ExportSection(
      "contactRequests",
      statement: contactRequests,
      columns: [
        "id": .id,
        "fromId": .id,
        "fromName": .text,
        "toId": .id,
        "toName": .text,
        "offered": .scopes,
        "requested": .scopes,
        "message": .text,
        "invitedEmail": .text,
        "createdAt": .moment,
      ]
    ),
    ExportSection(
      "rejectedRequests",
      statement: rejectedRequests,
      columns: [
        "fromId": .id,
        "fromName": .text,
        "rejectedAt": .moment,
      ]
    ),
    ExportSection(
      "groups",
      statement: groups,
      columns: [
        "id": .id,
        "name": .text,
        "description": .text,
        "hometown": .text,
        "role": .choice(of: GroupRole.self),
        "joinedAt": .moment,
        "invitedById": .id,
        "sharing": .scopes,
        "isCreator": .boolean,
      ]
    ),
    ExportSection(
      "groupJoinRequests",
      statement: groupJoinRequests,
      columns: [
        "id": .id,
        "groupId": .id,
        "groupName": .text,
        "sharing": .scopes,
        "requestedAt": .moment,
      ]
    ),
    ExportSection(
      "familyInvitations",
      statement: familyInvitations,
      columns: [
        "id": .id,
        "email": .text,
        "invitedById": .id,
        "createdAt": .moment,
        "expiresAt": .moment,
        "claimedById": .id,
        "claimedAt": .moment,
      ]
    ),
    ExportSection(
      "parentRemovals",
      statement: parentRemovals,
      columns: [
        "id": .id,
        "personId": .id,
        "requestedById": .id,
        "requestedAt": .moment,
        "effectiveAt": .moment,
      ]
    ),
    ExportSection(
      "formerFamilies",
      statement: formerFamilies,
      columns: [
        "id": .id,
        "name": .text,
        "leftAt": .moment,
      ]
    ),
    ExportSection(
      "mails",
      statement: mails,
      columns: [
        "kind": .number,
        "address": .text,
        "createdAt": .moment,
        "sentAt": .moment,
      ]
    ),
    ExportSection(
      "pointsGiven",
      statement: pointsGiven,
      columns: [
        "id": .id,
        "childId": .id,
        "choreId": .id,
        "points": .number,
        "finishedAt": .moment,
      ]
    ),
  ]
}
