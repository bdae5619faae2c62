import Storage

extension GrantedProfile {
  static let update = SQL(
    "UPDATE person SET current_city = ?2, hometown = ?3, company = ?4, avatar = ?5 WHERE id = ?1"
  )

  /// Fills a profile that is empty, with what they could have typed here themselves.
  func fill(_ person: GlobalID, _ avatar: PictureChange, _ transaction: WriteTransaction) throws {
    let statement = try transaction.statement(Self.update)
    try statement.bind(1, person.rawValue)
    for (place, text) in [currentCity, hometown, company].enumerated() {
      try statement.bind(2 + place, VerifiedIdentity.line(text))
    }
    try statement.bind(5, avatar.number(transaction))
    try statement.run()
    try SearchIndex.update(person, transaction)
  }
}
