import Pictures
import Storage

/// A row of `picture`.
struct StoredPicture: Sendable {
  let address: PictureAddress
  let width: Int64
  let height: Int64
  let byteCount: Int64

  /// Pictures by their numbers, which stand in the rows of what has them: whoever may see such a row may see its
  /// picture.
  static let byNumber = SQL(
    """
    SELECT k.slot, p.hash, p.format, p.width, p.height, p.byte_count \
    FROM keys(?1) AS k CROSS JOIN picture AS p ON p.id = k.value
    """
  )
  /// A picture that is stored already keeps its number.
  static let insert = SQL(
    """
    INSERT INTO picture (hash, format, width, height, byte_count) VALUES (?1, ?2, ?3, ?4, ?5) \
    ON CONFLICT (hash) DO UPDATE SET byte_count = byte_count RETURNING id
    """
  )
  static let exists = SQL("SELECT 1 FROM picture WHERE hash = ?1")
  static let unused = SQL("SELECT hash FROM picture WHERE uses = 0")
  static let deleteUnused = SQL("DELETE FROM picture WHERE uses = 0")

  static func load(
    _ numbers: [Int64],
    _ reader: Reader,
    _ body: (_ place: Int, StoredPicture) -> Void
  ) throws(DatabaseError) {
    guard !numbers.isEmpty else { return }
    let statement = try reader.statement(byNumber)
    try statement.bind(1, keys: numbers)
    try statement.forEachRow { row in
      guard let hash = PictureHash(row.blob(1)), let format = PictureFormat(rawValue: row.int64(2)) else { return }
      let picture = StoredPicture(
        address: PictureAddress(hash, format),
        width: row.int64(3),
        height: row.int64(4),
        byteCount: row.int64(5)
      )
      body(Int(row.int64(0)), picture)
    }
  }

  static func insert(_ picture: ExaminedPicture, _ transaction: WriteTransaction) throws(DatabaseError) -> Int64 {
    let statement = try transaction.statement(insert)
    try statement.bind(1, hash: picture.hash)
    try statement.bind(2, picture.format.rawValue)
    try statement.bind(3, Int64(picture.width))
    try statement.bind(4, Int64(picture.height))
    try statement.bind(5, Int64(picture.content.count))
    return try statement.first { row in row.int64(0) } ?? 0
  }

  static func exists(_ hash: PictureHash, _ transaction: WriteTransaction) throws(DatabaseError) -> Bool {
    let statement = try transaction.statement(exists)
    try statement.bind(1, hash: hash)
    return try statement.first { _ in true } ?? false
  }
}

extension Statement {
  func bind(_ parameter: Int, hash: PictureHash) throws(DatabaseError) {
    try hash.bytes.withUnsafeBufferPointer { (bytes) throws(DatabaseError) in
      try bind(parameter, blob: UnsafeRawBufferPointer(bytes))
    }
  }
}
