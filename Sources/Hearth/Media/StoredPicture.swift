import Pictures
import Storage

/// An uploaded picture.
struct StoredPicture: Sendable {
  let address: PictureAddress
  let width: Int64
  let height: Int64
  let byteCount: Int64
  /// The bytes of its `ThumbHash`, if there is one.
  let thumbHash: [UInt8]?

  /// Pictures by their ids, which are columns of the rows that refer to them. Callers with access to such a row
  /// also have access to its picture.
  static let byNumber = SQL<[Int64]>(
    """
    SELECT k.slot, p.hash, p.format, p.width, p.height, p.byte_count, p.thumb_hash \
    FROM \(table: \.self) AS k \(join: .asWritten) picture AS p ON p.id = k.value
    """
  )
  /// A picture that is stored already keeps its id. It gets the preview that it may lack.
  static let insert = PictureFile.table.insert(
    then: """
      ON CONFLICT (hash) DO UPDATE SET thumb_hash = coalesce(picture.thumb_hash, excluded.thumb_hash) RETURNING id
      """
  )
  static let exists = SQL<PictureHash>("SELECT 1 FROM picture WHERE hash = \(\.self)")
  static let file = SQL<PictureHash>("SELECT byte_count, format FROM picture WHERE hash = \(\.self)")
  static let unused = SQL<Void>("SELECT 1 FROM picture WHERE uses = 0 LIMIT 1")
  static let deleteUnused = SQL<Void>("DELETE FROM picture WHERE uses = 0 RETURNING hash")

  static func load(
    _ numbers: [Int64],
    from reader: Reader,
    _ body: (_ index: Int, StoredPicture) -> Void
  ) throws(DatabaseError) {
    guard !numbers.isEmpty else { return }
    try reader.forEachRow(of: byNumber, numbers) { row in
      guard let hash = PictureHash(row.blob(1)), let format = PictureFormat(rawValue: row.int64(2)) else { return }
      let picture = StoredPicture(
        address: PictureAddress(hash, format: format),
        width: row.int64(3),
        height: row.int64(4),
        byteCount: row.int64(5),
        thumbHash: row.isNull(6) ? nil : Array(row.blob(6))
      )
      body(Int(row.int64(0)), picture)
    }
  }

  static func insert(_ picture: ExaminedPicture, in transaction: WriteTransaction) throws(DatabaseError) -> Int64 {
    try transaction.reader.number(of: insert, PictureFile(picture)) ?? 0
  }

  static func exists(_ hash: PictureHash, in transaction: WriteTransaction) throws(DatabaseError) -> Bool {
    try transaction.reader.hasRow(exists, hash)
  }
}
