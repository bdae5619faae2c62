import Storage

/// Copies the bytes of all pictures between files and a PostgreSQL database, and compares them with their hashes.
enum PictureTransfer {
  /// How many pictures are in memory at the same time.
  private static let rows = 4

  /// From files to the rows of a database that has the rows of `picture`. Returns the number of pictures.
  static func copy(from folder: MediaFolder, to target: any RowWriting) throws -> Int {
    let hashes = try hashes(in: target)
    let table = try target.table(named: PictureContent.table.name)
    for (number, hash) in hashes.sorted(by: { $0.key < $1.key }) {
      guard let content = try folder.read(hash), PictureHash(of: content[...]) == hash else {
        throw CopyFailure("The picture \(folder.path(of: hash)) is missing or damaged: run hearth check.")
      }
      var batch = RowBatch(of: table)
      for column in table.columnNames {
        if column == "content" { content.withUnsafeBytes { batch.append(bytes: $0) } } else { batch.append(number) }
      }
      try target.append(batch, to: table)
    }
    var count = 0
    try forEach(in: target, hashes) { _, _ in count += 1 }
    guard count == hashes.count else { throw CopyFailure("Some pictures were not copied.") }
    return count
  }

  /// From a database to files. Returns the number of pictures.
  static func copy(from source: any RowReading, to folder: MediaFolder) throws -> Int {
    let hashes = try hashes(in: source)
    try forEach(in: source, hashes) { hash, content in
      // A folder of backups has some of them, which can be damaged.
      try folder.write(content[...], as: hash)
    }
    for hash in hashes.values {
      guard let content = try folder.read(hash), PictureHash(of: content[...]) == hash else {
        throw CopyFailure(
          "The database lacks the picture \(hash.hexadecimal), or its file is damaged: run hearth check."
        )
      }
    }
    return hashes.count
  }

  /// The hashes by the keys of the pictures.
  private static func hashes(in source: any RowReading) throws -> [Int64: PictureHash] {
    let table = try source.table(named: "picture")
    guard let id = table.index(of: "id"), let hash = table.index(of: "hash") else { return [:] }
    var hashes: [Int64: PictureHash] = [:]
    try source.forEachBatch(of: table) { batch in
      for row in 0..<batch.count { hashes[batch.int64(row, id)] = PictureHash(batch.bytes(row, hash)) }
    }
    return hashes
  }

  private static func forEach(
    in source: any RowReading,
    _ hashes: [Int64: PictureHash],
    _ body: (PictureHash, [UInt8]) throws -> Void
  ) throws {
    let table = try source.table(named: PictureContent.table.name)
    guard let id = table.index(of: "picture_id"), let bytes = table.index(of: "content") else { return }
    try source.forEachBatch(of: table, rows: rows) { batch in
      for row in 0..<batch.count {
        let content = batch.bytes(row, bytes)
        guard let hash = hashes[batch.int64(row, id)], PictureHash(of: content[...]) == hash else {
          throw CopyFailure("Picture \(batch.int64(row, id)) in the database does not match its hash.")
        }
        try body(hash, content)
      }
    }
  }
}
