import Pictures
import Storage

/// An uploaded picture.
struct StoredPicture: Sendable {
  let address: PictureAddress
  let width: Int64
  let height: Int64
  let byteCount: Int64

  /// Pictures by their ids, which are columns of the rows that refer to them. Callers with access to such a row
  /// also have access to its picture.
  static let byNumber = SQL<[Int64]>(
    """
    SELECT k.slot, p.hash, p.format, p.width, p.height, p.byte_count \
    FROM \(table: \.self) AS k \(join: .asWritten) picture AS p ON p.id = k.value
    """
  )
  /// A picture that is stored already keeps its id.
  static let insert = PictureFile.table.insert(
    then: "ON CONFLICT (hash) DO UPDATE SET byte_count = picture.byte_count RETURNING id"
  )
  static let exists = SQL<PictureHash>("SELECT 1 FROM picture WHERE hash = \(\.self)")
  static let unused = SQL<Void>("SELECT hash FROM picture WHERE uses = 0")
  static let deleteUnused = SQL<Void>("DELETE FROM picture WHERE uses = 0")

  static func load(
    _ numbers: [Int64],
    _ reader: Reader,
    _ body: (_ index: Int, StoredPicture) -> Void
  ) throws(DatabaseError) {
    guard !numbers.isEmpty else { return }
    try reader.forEachRow(of: byNumber, numbers) { row in
      guard let hash = PictureHash(row.blob(1)), let format = PictureFormat(rawValue: row.int64(2)) else { return }
      let picture = StoredPicture(
        address: PictureAddress(hash, format: format),
        width: row.int64(3),
        height: row.int64(4),
        byteCount: row.int64(5)
      )
      body(Int(row.int64(0)), picture)
    }
  }

  static func insert(_ picture: ExaminedPicture, _ transaction: WriteTransaction) throws(DatabaseError) -> Int64 {
    try transaction.reader.first(of: insert, PictureFile(picture)) { row in row.int64(0) } ?? 0
  }

  static func exists(_ hash: PictureHash, _ transaction: WriteTransaction) throws(DatabaseError) -> Bool {
    try transaction.reader.hasRow(exists, hash)
  }
}
