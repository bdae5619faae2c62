import Pictures
import Storage

/// The bytes of pictures in a PostgreSQL database, which is thereby complete without the data folder. They are written
/// in the transaction that inserts the picture's row, and deleted with it.
struct PictureContents: Sendable {
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// Returns nil if the database has no such picture. Blocks.
  func read(_ hash: PictureHash) throws -> [UInt8]? {
    let reader = try database.makeReader()
    defer { reader.endRead() }
    return try Self.read(hash, from: reader)
  }

  static func read(_ hash: PictureHash, from reader: Reader) throws -> [UInt8]? {
    guard let content = try reader.first(of: PictureContent.byHash, hash, { row in Array(row.blob(0)) }) else {
      return nil
    }
    guard PictureHash(of: content[...]) == hash else {
      throw DamagedPicture(description: "The picture \(hash.hexadecimal) in the database does not match its hash.")
    }
    return content
  }

  /// The number of bytes and the format of a picture; nil if the database has no such picture. Blocks.
  func find(_ hash: PictureHash) throws -> (byteCount: Int, format: PictureFormat)? {
    let reader = try database.makeReader()
    defer { reader.endRead() }
    return try reader.first(of: StoredPicture.file, hash) { row in
      PictureFormat(rawValue: row.int64(1)).map { (Int(row.int64(0)), $0) }
    }.flatMap(\.self)
  }

  /// Whether the database has a picture with this hash. Blocks.
  func has(_ hash: PictureHash) throws -> Bool {
    let reader = try database.makeReader()
    defer { reader.endRead() }
    return try reader.hasRow(StoredPicture.exists, hash)
  }
}
