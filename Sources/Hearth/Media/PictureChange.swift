import Storage

/// The change of a picture that a mutation requests.
enum PictureChange: Sendable {
  /// The field is absent, so the picture stays.
  case unchanged
  /// The field is `null`, so the picture is removed.
  case removed
  case chosen(ExaminedPicture)

  /// The change of the column that refers to the picture. Must be called within the write of this change
  /// (`RequestContext.write(with:_:)`), which has stored the picture's file.
  func patch(_ transaction: WriteTransaction) throws(DatabaseError) -> Patch<Int64> {
    switch self {
    case .unchanged: .unchanged
    case .removed: .cleared
    case .chosen(let picture): .set(try StoredPicture.insert(picture, in: transaction))
    }
  }

  /// The value of the column that refers to the picture. Must be called within the write of this change
  /// (`RequestContext.write(with:_:)`), which has stored the picture's file.
  func number(_ transaction: WriteTransaction) throws(DatabaseError) -> Int64? {
    guard case .chosen(let picture) = self else { return nil }
    return try StoredPicture.insert(picture, in: transaction)
  }
}
