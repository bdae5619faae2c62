import Storage

extension Migration {
  /// The bytes of pictures in a PostgreSQL database. The table of a SQLite file is empty: its pictures are files.
  static let pictureContents = Migration(
    26,
    name: "contents of pictures",
    sql: """
      -- The bytes of pictures, in a PostgreSQL database only. Here the table is empty: pictures are files.
      CREATE TABLE picture_content (
        picture_id INTEGER PRIMARY KEY REFERENCES picture (id) ON DELETE CASCADE,
        content BLOB NOT NULL
      ) STRICT;
      """
  )
}
