import Storage

extension Migration {
  /// Uploaded pictures. Rows refer to them by id. Triggers count the references (`PictureUses`), so that no statement
  /// that copies or deletes rows can miss one.
  static let pictures = Migration(
    4,
    name: "pictures",
    sql: """
      CREATE TABLE picture (
        id INTEGER PRIMARY KEY,
        -- SHA-256 of the file, which is its name.
        hash BLOB NOT NULL UNIQUE,
        -- 1 JPEG, 2 PNG, 3 WebP, 4 HEIC.
        format INTEGER NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        byte_count INTEGER NOT NULL,
        -- How many rows name it. At 0 it goes, with its file.
        uses INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX picture_unused ON picture (uses) WHERE uses = 0;

      ALTER TABLE person ADD COLUMN avatar INTEGER;
      ALTER TABLE child ADD COLUMN avatar INTEGER;
      ALTER TABLE chore ADD COLUMN image INTEGER;
      ALTER TABLE item ADD COLUMN photo INTEGER;
      \(PictureUses.counted(by: "avatar", of: "person"))
      \(PictureUses.counted(by: "avatar", of: "child"))
      \(PictureUses.counted(by: "image", of: "chore"))
      \(PictureUses.counted(by: "photo", of: "item"))
      """
  )
}
