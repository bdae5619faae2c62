import Storage

/// What a provider tells of somebody who signs up, beyond who they are.
struct GrantedProfile: Sendable {
  var currentCity: String?
  var hometown: String?
  var company: String?
  /// A file that nobody has looked at yet.
  var picture: [UInt8]?

  /// Fills a profile that is empty, with what they could have typed here themselves.
  func fill(_ person: GlobalID, _ avatar: PictureChange, _ transaction: WriteTransaction) throws {
    var row = RowPatch(of: Person.table)
    row.apply(Patch(VerifiedIdentity.line(currentCity)), to: \.currentCity)
    row.apply(Patch(VerifiedIdentity.line(hometown)), to: \.hometown)
    row.apply(Patch(VerifiedIdentity.line(company)), to: \.company)
    row.apply(try avatar.patch(transaction), to: \.avatar)
    try UpdateProfile.apply(row, to: person, transaction)
  }
}
