import Storage

/// A row of `picture_content`: the bytes of a picture in a PostgreSQL database. A file has none.
struct PictureContent: Sendable {
  var picture: Int64
  var content: [UInt8]

  static let table = Table<PictureContent>(
    "picture_content",
    [Column("picture_id", \.picture), Column("content", \.content)]
  )

  static let insert: SQL<(hash: PictureHash, content: [UInt8])> = PictureContent.table.insert(
    [.setting(\.picture, to: "id"), .setting(\.content, to: "\(\.content)")],
    from: "picture WHERE hash = \(\.hash) ON CONFLICT (picture_id) DO NOTHING"
  )
  static let byHash = SQL<PictureHash>(
    """
    SELECT c.content FROM picture AS p JOIN picture_content AS c ON c.picture_id = p.id WHERE p.hash = \(\.self)
    """
  )
}
