import Storage

extension GrantedProfile {
  /// Fills an empty profile with those values that the person could also have typed.
  func fill(_ person: GlobalID, avatar: PictureChange, in transaction: WriteTransaction) throws {
    var row = RowPatch<Person>()
    row.apply(Patch(VerifiedIdentity.line(currentCity)), to: \.currentCity)
    row.apply(Patch(VerifiedIdentity.line(hometown)), to: \.hometown)
    row.apply(Patch(VerifiedIdentity.line(company)), to: \.company)
    row.apply(try avatar.patch(transaction), to: \.avatar)
    try UpdateProfile.apply(row, to: person, in: transaction)
  }
}
