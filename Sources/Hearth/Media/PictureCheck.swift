import Storage

/// Checks that all pictures exist and match their hashes.
struct PictureCheck {
  let reader: Reader
  /// What reports call a picture: the path of its file.
  let name: (PictureHash) -> String
  /// Returns nil if the picture does not exist.
  var content: (PictureHash) throws -> [UInt8]?

  /// Checks a SQLite file and the pictures in a folder.
  init(of database: String, _ folder: MediaFolder) throws(DatabaseError) {
    reader = try Database.reader(of: database)
    name = { "The file \(folder.path(of: $0))" }
    content = { try folder.read($0) }
  }

  /// Checks a PostgreSQL database.
  init(ofPostgreSQL reader: Reader) {
    self.reader = reader
    name = { "The picture \($0.hexadecimal)" }
    content = { try PictureContents.read($0, from: reader) }
  }

  private struct Known {
    let number: Int64
    let hash: PictureHash?
    let byteCount: Int64
    let uses: Int64
  }

  /// Returns one sentence for each fault. Reads every picture. A server can add and remove pictures meanwhile.
  func faults() throws(DatabaseError) -> [String] {
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
    reader.endRead()
    var faults: [String] = []
    for picture in pictures {
      let count = uses.removeValue(forKey: picture.number) ?? 0
      if count != picture.uses {
        faults.append("Picture \(picture.number) has a reference count of \(picture.uses), but \(count) references.")
      }
      if let fault = try lastingFault(of: picture) { faults.append(fault) }
    }
    for number in uses.keys.sorted() { faults.append("Picture \(number) is referenced by a row, but does not exist.") }
    return faults
  }

  /// A fault of a picture that has not been removed since its row was read.
  private func lastingFault(of picture: Known) throws(DatabaseError) -> String? {
    guard let hash = picture.hash else { return "Picture \(picture.number) has no valid hash." }
    // A file is written before its row, and removed after it. It is read again after the row was seen, because it can
    // have been written since it was read before.
    guard fault(of: picture, hash) != nil, try hasRow(hash), let found = fault(of: picture, hash) else { return nil }
    return try hasRow(hash) ? found : nil
  }

  /// As of now.
  private func hasRow(_ hash: PictureHash) throws(DatabaseError) -> Bool {
    reader.endRead()
    defer { reader.endRead() }
    return try reader.hasRow(StoredPicture.exists, hash)
  }

  private func fault(of picture: Known, _ hash: PictureHash) -> String? {
    let content: [UInt8]?
    do {
      content = try self.content(hash)
    } catch is DamagedPicture {
      return "\(name(hash)) does not match its hash."
    } catch {
      content = nil
    }
    guard let content else { return "\(name(hash)) does not exist or cannot be read." }
    guard content.count == picture.byteCount, PictureHash(of: content[...]) == hash else {
      return "\(name(hash)) does not match its hash."
    }
    return nil
  }
}
