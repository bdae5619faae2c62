import Storage

/// A row of `person`: an adult, with the properties that others may see. Their credentials are in `Account`.
struct Person: StoredRow {
  var id: GlobalID
  var family: GlobalID
  var name: String
  var firstName: String
  var middleName: String?
  var lastName: String?
  var dateOfBirth: String?
  var gender: Gender
  var theme = Theme.sunrise
  var createdAt: Timestamp
  /// Nil while the account is active.
  var deactivatedAt: Timestamp?
  var avatar: Int64?
  /// The name as the sort key of lists: see `NameOrder`.
  var nameKey: String
  var currentCity: String?
  var hometown: String?
  var company: String?
  /// Lists, with one entry per line.
  var highSchools: String?
  var colleges: String?
  var socialMedia: String?
  /// The feed position at which the person joined the family; 0 for the family they registered with.
  var familySince: Int64 = 0
  /// Nil for the parent who founded the family.
  var invitedBy: GlobalID?
  /// Nil for the parent who founded the family. Reactivating the account postpones it by the time of the deactivation:
  /// see `ParentRemoval.immediatePeriod`.
  var joinedFamilyAt: Timestamp?
  /// When the person is erased. Nil unless they have deleted their account.
  var eraseAt: Timestamp?
  /// Nil unless the row has only the key of a person who was erased.
  var erasedAt: Timestamp?

  static let table = Table<Person>(
    "person",
    [
      Column("id", \.id),
      Column("family_id", \.family),
      Column("name", \.name),
      Column("first_name", \.firstName),
      Column("middle_name", \.middleName),
      Column("last_name", \.lastName),
      Column("date_of_birth", \.dateOfBirth),
      Column("gender", \.gender),
      Column("theme", \.theme),
      Column("created_at", \.createdAt),
      Column("deactivated_at", \.deactivatedAt),
      Column("avatar", \.avatar),
      Column("name_key", \.nameKey),
      Column("current_city", \.currentCity),
      Column("hometown", \.hometown),
      Column("company", \.company),
      Column("high_schools", \.highSchools),
      Column("colleges", \.colleges),
      Column("social_media", \.socialMedia),
      Column("family_since", \.familySince),
      Column("invited_by", \.invitedBy),
      Column("joined_family_at", \.joinedFamilyAt),
      Column("erase_at", \.eraseAt),
      Column("erased_at", \.erasedAt),
    ]
  )
}

extension Person {
  /// A new person.
  init(
    _ id: GlobalID,
    in family: GlobalID,
    _ name: PersonName,
    dateOfBirth: String?,
    gender: Gender,
    at now: Timestamp
  ) {
    self.init(
      id: id,
      family: family,
      name: name.full,
      firstName: name.first,
      middleName: name.middle,
      lastName: name.last,
      dateOfBirth: dateOfBirth,
      gender: gender,
      createdAt: now,
      nameKey: NameOrder.key(of: name.full)
    )
  }
}
