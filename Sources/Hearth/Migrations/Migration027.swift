import Storage

extension Migration {
  /// Previews of pictures. Those from before have none, unless they are uploaded again.
  static let thumbHashes = Migration(
    27,
    name: "thumb hashes",
    sql: """
      -- A ThumbHash. NULL if it could not be made.
      ALTER TABLE picture ADD COLUMN thumb_hash BLOB;
      """
  )
}
