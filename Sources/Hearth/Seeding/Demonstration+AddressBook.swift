/// Ada's address book: two contacts, one of whom shares only the scope of work, a received request and a sent request.
extension Demonstration {
  static func addressBook(of ada: GlobalID, _ seeder: Seeder, hash: String) throws {
    try addContactInfo(of: ada, seeder)
    let browning = try browning(seeder, hash: hash)
    try seeder.contact(ada, sharing: [.work, .personal], browning, sharing: [.work])
    let janna = try janna(seeder, hash: hash)
    try seeder.contact(ada, sharing: [.personal], janna, sharing: [.personal, .school])
    let readers = try groups(of: ada, browning: browning, janna: janna, seeder)
    let mary = try person(first: "Mary", last: "Somerville", seeder, hash: hash)
    try seeder.readNotification(.contactAcceptedNotification, for: ada, by: browning)
    try seeder.readNotification(.contactRemovedNotification, for: ada, by: mary)
    try seeder.invite(ada, to: readers, by: janna)
    try seeder.contactRequest(from: ada, to: mary, offering: [.work, .personal], message: nil)
    let carole = try person(first: "Carole", last: "Hendricks", seeder, hash: hash)
    try seeder.contactRequest(from: carole, to: ada, offering: [.personal], message: "We met at the engine's opening.")
  }

  private static func addContactInfo(of ada: GlobalID, _ seeder: Seeder) throws {
    try seeder.profile(
      of: ada,
      .init(currentCity: "London", hometown: "London", company: "Analytical Engines", college: "University of London")
    )
    try seeder.email("ada@engines.example.com", of: ada, .work, label: "Desk")
    try seeder.phone("+44 20 7946 0958", of: ada, .work, label: "Desk")
    let square = PostalAddress(
      line1: "12 St James's Square",
      line2: nil,
      city: "London",
      region: nil,
      postalCode: "SW1Y 4JH",
      country: "United Kingdom"
    )
    try seeder.contactInfo(of: ada, scope: .personal, content: .address(square))
  }

  private static func browning(_ seeder: Seeder, hash: String) throws -> GlobalID {
    let browning = try person(first: "Browning", last: "Duncan", seeder, hash: hash)
    try seeder.profile(
      of: browning,
      .init(
        currentCity: "Wells",
        hometown: "Amherst",
        company: "Ziore",
        highSchool: "Danvers High School",
        college: "UMass Amherst"
      )
    )
    try seeder.phone("+1 882 536 2083", of: browning, .work, label: "Work")
    try seeder.phone("+1 810 504 2733", of: browning, .personal, label: "Cell")
    let home = PostalAddress(
      line1: "835 Guider Avenue",
      line2: nil,
      city: "Wells",
      region: "New Jersey",
      postalCode: "3827",
      country: nil
    )
    try seeder.contactInfo(of: browning, scope: .personal, content: .address(home))
    return browning
  }

  private static func janna(_ seeder: Seeder, hash: String) throws -> GlobalID {
    let janna = try person(first: "Janna", last: "Duran", seeder, hash: hash)
    try seeder.profile(of: janna, .init(currentCity: "Boston", hometown: "Amherst"))
    try seeder.email("janna@example.com", of: janna, .personal)
    return janna
  }

  /// Adds two groups that Ada belongs to, and one that she does not.
  ///
  /// - Returns: The one that she does not belong to.
  private static func groups(
    of ada: GlobalID,
    browning: GlobalID,
    janna: GlobalID,
    _ seeder: Seeder
  ) throws -> GlobalID {
    _ = try seeder.group(
      .init(
        name: "Duncan Yo-Yo",
        description: "For all who love yo-yos, as Browning does.",
        hometown: "Amherst",
        sharing: Scopes([.work])
      ),
      of: browning,
      members: [ada, janna]
    )
    _ = try seeder.group(
      .init(name: "Friends of the Engine", description: nil, hometown: "London", sharing: Scopes([.personal])),
      of: ada,
      members: []
    )
    return try seeder.group(
      .init(name: "Boston Book Club", description: "A novel a month.", hometown: "Boston", sharing: Scopes([])),
      of: janna,
      members: []
    )
  }

  private static func person(first: String, last: String, _ seeder: Seeder, hash: String) throws -> GlobalID {
    try seeder.parent(
      in: try seeder.family("\(last) family", timeZone: "America/New_York"),
      .init(first: first, last: last, born: "1984-05-14", gender: .unspecified),
      email: "\(first.lowercased())@example.com",
      isEmailVerified: true,
      passwordHash: hash
    )
  }
}
