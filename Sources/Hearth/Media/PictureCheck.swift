import Storage

/// Checks that all picture files exist and match their hashes.
enum PictureCheck {
  private struct Known {
    let number: Int64
    let hash: PictureHash?
    let byteCount: Int64
    let uses: Int64
  }

  /// Returns one sentence for each fault. Reads every file.
  static func faults(of database: String, _ folder: MediaFolder) throws(DatabaseError) -> [String] {
    let reader = try Database.reader(of: database)
    defer { reader.endRead() }
    var uses: [Int64: Int64] = [:]
    try reader.forEachRow(of: PictureUses.uses, ()) { row in uses[row.int64(0), default: 0] += 1 }
    var pictures: [Known] = []
    try reader.forEachRow(of: PictureUses.pictures, ()) { row in
      pictures.append(
        Known(
          number: row.int64(0),
          hash: PictureHash(row.blob(1)),
          byteCount: row.int64(2),
          uses: row.int64(3)
        )
      )
    }
    var faults: [String] = []
    for picture in pictures {
      let count = uses.removeValue(forKey: picture.number) ?? 0
      if count != picture.uses {
        faults.append("Picture \(picture.number) has a reference count of \(picture.uses), but \(count) references.")
      }
      if let fault = fault(of: picture, folder) { faults.append(fault) }
    }
    for number in uses.keys.sorted() { faults.append("Picture \(number) is referenced by a row, but does not exist.") }
    return faults
  }

  private static func fault(of picture: Known, _ folder: MediaFolder) -> String? {
    guard let hash = picture.hash else { return "Picture \(picture.number) has no valid hash." }
    let path = folder.path(of: hash)
    guard let content = try? folder.read(hash) else { return "The file \(path) does not exist or cannot be read." }
    guard content.count == picture.byteCount, PictureHash(of: content[...]) == hash else {
      return "The file \(path) does not match its hash."
    }
    return nil
  }
}
