import Storage

/// What a mutation is to do with the picture of something.
enum PictureChange: Sendable {
  /// Nothing was given: it stays as it is.
  case unchanged
  /// `null` was given: there is none any more.
  case removed
  case chosen(ExaminedPicture)

  /// What this does to the column that names the picture. Within a write that was given this change
  /// (`RequestContext.write(with:)`), which has stored the picture's file.
  func patch(_ transaction: WriteTransaction) throws(DatabaseError) -> Patch<Int64> {
    switch self {
    case .unchanged: .unchanged
    case .removed: .cleared
    case .chosen(let picture): .set(try StoredPicture.insert(picture, transaction))
    }
  }

  /// The number for the column that is to name the picture. Within a write that was given this change
  /// (`RequestContext.write(with:)`), which has seen to the picture's file.
  func number(_ transaction: WriteTransaction) throws(DatabaseError) -> Int64? {
    guard case .chosen(let picture) = self else { return nil }
    return try StoredPicture.insert(picture, transaction)
  }
}
