import Pictures

/// The pictures of a PostgreSQL database, and the files of this server, which are copies of some of them.
struct DatabasePictures: Sendable {
  private let stored: PictureContents
  let copies: PictureCopies

  init(_ stored: PictureContents, copies: PictureCopies) {
    self.stored = stored
    self.copies = copies
  }

  /// What the database states of a picture, or nil if it does not exist. Blocks the thread.
  func find(_ hash: PictureHash) throws -> (byteCount: Int, format: PictureFormat)? { try stored.find(hash) }

  /// The bytes of a picture, or nil if it does not exist. Blocks the thread.
  func content(of hash: PictureHash) throws -> [UInt8]? {
    if let content = try copies.read(hash) { return content }
    guard let content = try stored.read(hash) else { return nil }
    copies.add(content[...], as: hash)
    // The picture can have been deleted since it was read.
    if try !stored.has(hash) { copies.remove(hash) }
    return content
  }
}
