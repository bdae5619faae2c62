import Foundation
import Storage

/// `hearth move`: all data from a data folder to a PostgreSQL database, or back. Keys and secrets are rows, so that
/// tokens, ids and URLs stay valid.
package enum DataMove {
  package struct Summary: Sendable {
    package let rows: Int
    package let pictures: Int
  }

  /// Copies and compares. The data of the source is not changed. If something fails, the target stays empty.
  ///
  /// - Parameter allowsUnsafeSettings: of a PostgreSQL server.
  package static func move(
    from source: DataLocation,
    to target: DataLocation,
    allowsUnsafeSettings: Bool
  ) throws -> Summary {
    switch (source, target) {
    case (.folder(let directory), .postgreSQL(let url)):
      try move(directory, to: PostgreSQLTarget(url: url, allowsUnsafeSettings: allowsUnsafeSettings))
    case (.postgreSQL(let url), .folder(let directory)):
      try move(url, toFolder: directory)
    case (.folder, .folder):
      throw CopyFailure("Both places are folders: hearth backup copies a data folder.")
    case (.postgreSQL, .postgreSQL):
      throw CopyFailure("Both places are PostgreSQL databases: pg_dump and pg_restore copy a database.")
    }
  }

  private static func move(_ directory: String, to target: PostgreSQLTarget) throws -> Summary {
    let path = DataDirectory.databasePath(in: directory)
    guard FileManager.default.fileExists(atPath: path) else {
      throw CopyFailure("There is no database \(path): name the data folder of a server.")
    }
    let lock = try DataDirectory(directory, usesPostgreSQL: false, hasPictures: MediaFolder.hasFiles)
    defer { lock.release() }
    try target.requireEmpty(Migration.all)
    let source = try FileSnapshot(path: path, migrations: Migration.all, rules: .ofProduct)
    try requireNoOpenErasures(in: directory)
    let pictures = MediaFolder(path: DataDirectory.mediaPath(in: directory))
    let summary = try NewPostgreSQLData.fill(
      target,
      schema: .ofProduct,
      migrations: Migration.all,
      rules: .ofProduct
    ) { target in
      let rows = try DataCopy.copy(from: source, to: target, except: [PictureContent.table.name])
      return Summary(rows: rows, pictures: try PictureTransfer.copy(from: pictures, to: target))
    }
    // Like a restored backup, the folder lacks what is committed to the database from now on: a server that is started
    // on it later must not allocate the same numbers.
    unlink(DataFile.state.path(in: directory))
    return summary
  }

  /// The record of erasures stays in the folder, so that erasures that a restored backup lacks must be repeated before.
  private static func requireNoOpenErasures(in directory: String) throws {
    let recorded = try ErasureRecord(in: directory).entries()
    let reader = try Database.reader(of: DataDirectory.databasePath(in: directory))
    defer { reader.endRead() }
    let open = try Erasure.inventory(recorded, from: reader).unerased.count
    guard open == 0 else {
      throw CopyFailure(
        "The data is older than \(open) recorded erasures: start the server with it once, which repeats them."
      )
    }
  }

  private static func move(_ url: String, toFolder directory: String) throws -> Summary {
    let files = FileManager.default
    let isNew = !files.fileExists(atPath: directory)
    guard isNew || (try? files.contentsOfDirectory(atPath: directory))?.isEmpty == true else {
      throw CopyFailure("The folder \(directory) is not empty: move into a new folder.")
    }
    let source = try PostgreSQLSnapshot(url: url, migrations: Migration.all, rules: .ofProduct, excludesServers: true)
    let lock = try DataDirectory(directory, usesPostgreSQL: false, hasPictures: MediaFolder.hasFiles)
    defer { lock.release() }
    do {
      return try write(
        source,
        to: DataDirectory.databasePath(in: directory),
        MediaFolder(path: DataDirectory.mediaPath(in: directory))
      )
    } catch let error as DatabaseError where error.code == .destinationExists {
      // A database that has appeared meanwhile, with what belongs to it.
      throw error
    } catch {
      for name in (try? files.contentsOfDirectory(atPath: directory)) ?? [] {
        try? files.removeItem(atPath: "\(directory)/\(name)")
      }
      if isNew { try? files.removeItem(atPath: directory) }
      throw error
    }
  }

  /// Writes the data of a PostgreSQL database into a new SQLite file, and its pictures into a folder, which may have
  /// some of them already.
  static func write(_ source: PostgreSQLSnapshot, to file: String, _ pictures: MediaFolder) throws -> Summary {
    let target = try NewFile(path: file, migrations: Migration.all, rules: .ofProduct)
    try pictures.prepare()
    let rows = try DataCopy.copy(from: source, to: target, except: [PictureContent.table.name])
    let count = try PictureTransfer.copy(from: source, to: pictures)
    try target.finish()
    return Summary(rows: rows, pictures: count)
  }
}

extension CopyRules {
  /// The search index, what belongs to the commits of one engine, and what only running processes need.
  ///
  /// The words are inserted in the order of their primary key: for 100,000 people, 6.4 million rows take 17 s instead
  /// of 53, and the rows of a word are beside each other.
  static let ofProduct = CopyRules(
    derived: ["search_word", "commit_token", "process", "lease", "rate_limit", "partition_change"],
    fileStatements: ["INSERT INTO search_index (search_index) VALUES ('rebuild')"],
    postgreSQLStatements: [
      """
      INSERT INTO search_word (word, id)
      SELECT w.word, e.id FROM search_entry AS e, search_words_of(e.words) AS w (word)
      ORDER BY w.word COLLATE "C", e.id
      """
    ],
    shortened: [
      "chore.name_key": { NameKey.shortened($0) }, "contact.name_key": { NameKey.shortened($0) },
      "group_member.name_key": { NameKey.shortened($0) }, "person.name_key": { NameKey.shortened($0) },
      "person_group.name_key": { NameKey.shortened($0) }, "search_entry.words": { SearchWords.shortened($0) },
    ]
  )
}
