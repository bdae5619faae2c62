import Pictures
import Storage

/// A row of `picture`: the file of an uploaded picture. Rows of other tables refer to it by its id.
struct PictureFile: Sendable {
  var id: Int64 = 0
  var hash: PictureHash
  var format: PictureFormat
  var width: Int64
  var height: Int64
  var byteCount: Int64
  /// The number of rows that refer to the picture, maintained by triggers: see `PictureUses`.
  var uses: Int64 = 0
  /// `ThumbHash.bytes`.
  var thumbHash: [UInt8]?

  static let table = Table<PictureFile>(
    "picture",
    [
      Column(assigned: "id", \.id),
      Column("hash", \.hash),
      Column("format", \.format),
      Column("width", \.width),
      Column("height", \.height),
      Column("byte_count", \.byteCount),
      Column("uses", \.uses),
      Column("thumb_hash", \.thumbHash),
    ]
  )

  init(_ picture: ExaminedPicture) {
    hash = picture.hash
    format = picture.format
    width = Int64(picture.width)
    height = Int64(picture.height)
    byteCount = Int64(picture.content.count)
    thumbHash = picture.thumbHash?.bytes
  }
}

extension PictureHash: SQLValue {
  static var sqlType: SQLType { [UInt8].sqlType }

  func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try bytes.bind(to: statement, at: number)
  }
}

extension PictureFormat: NumberedCase {}
