import EventLoop
import Storage
import Synchronization

/// The picture files and the rows of `picture`. They always agree, except for files without a row that are being added
/// or removed.
///
/// A file is written before the transaction that inserts its row, and removed after the transaction that deletes it. A
/// write that will refer to a file *holds* it, which prevents its removal. Files are removed on the writer's thread,
/// between two transactions, and under the lock that holding takes. The condition "no row, and not held" therefore
/// stays true until the file is removed.
final class PictureStore: Sendable {
  let signingKey: [UInt8]
  private let limits: ExaminedPicture.Limits
  let folder: MediaFolder
  private let workers: WorkerPool
  private let held = Mutex<[PictureHash: Int]>([:])

  /// - Parameter directory: the data folder.
  init(directory: String, signingKey: [UInt8], _ configuration: Configuration) throws {
    self.signingKey = signingKey
    limits = ExaminedPicture.Limits(bytes: configuration.pictureBytes, pixels: configuration.picturePixels)
    folder = MediaFolder(path: DataDirectory.mediaPath(in: directory))
    workers = try WorkerPool(threads: 2, queueLimit: 128)
    try folder.prepare()
  }

  /// Throws `ExaminedPicture.Rejection`, or `WorkerPool.Overloaded`.
  func examine(_ file: ArraySlice<UInt8>) async throws -> ExaminedPicture {
    let limits = limits
    return try await workers.run { try ExaminedPicture(file, limits) }
  }

  /// Returns the bytes of a file, or nil if it does not exist. Throws `WorkerPool.Overloaded` if too many reads are
  /// queued.
  func read(_ hash: PictureHash) async throws -> [UInt8]? {
    let folder = folder
    return try await workers.run { try folder.read(hash) }
  }

  // MARK: Holding

  /// Stores the picture's file before `write` runs, which may insert a row that refers to it. The file is removed if
  /// `write` throws.
  func holding<Value: Sendable>(
    _ picture: ExaminedPicture,
    of database: Database,
    _ write: () async throws -> Value
  ) async throws -> Value {
    let folder = folder
    held.withLock { $0[picture.hash, default: 0] += 1 }
    do {
      try await workers.run { try folder.write(picture.content, as: picture.hash) }
      let value = try await write()
      release(picture.hash)
      return value
    } catch {
      release(picture.hash)
      await removeUnlessNamed(picture.hash, database)
      throw error
    }
  }

  private func release(_ hash: PictureHash) {
    held.withLock { held in
      let rest = (held[hash] ?? 1) - 1
      held[hash] = rest > 0 ? rest : nil
    }
  }

  // MARK: Removing

  /// Deletes the rows that nothing refers to any more, and after the commit their files. Called at the end of every
  /// mutation's write. It costs a lookup in a partial index that is usually empty.
  func removeUnused(_ transaction: WriteTransaction) throws(DatabaseError) {
    var unused: [PictureHash] = []
    try transaction.reader.forEachRow(of: StoredPicture.unused, ()) { row in
      if let hash = PictureHash(row.blob(0)) { unused.append(hash) }
    }
    guard !unused.isEmpty else { return }
    try transaction.run(StoredPicture.deleteUnused, ())
    transaction.afterCommit { [self, unused] in
      for hash in unused { removeUnlessHeld(hash) }
    }
  }

  /// This write is best effort: if it fails, the next start removes the file.
  private func removeUnlessNamed(_ hash: PictureHash, _ database: Database) async {
    try? await database.write { transaction in
      guard try !StoredPicture.exists(hash, transaction) else { return }
      transaction.afterCommit { [self] in removeUnlessHeld(hash) }
    }
  }

  /// Runs on the writer's thread while no row has this hash.
  private func removeUnlessHeld(_ hash: PictureHash) {
    held.withLock { held in
      if held[hash] == nil { folder.remove(hash) }
    }
  }

  /// Removes the files without a row that a crash has left. Runs before requests are served.
  func sweep(_ database: Database) async throws {
    let folder = folder
    try await workers.run {
      let reader = try database.makeReader()
      try folder.forEachFile { hash in
        if try !reader.hasRow(StoredPicture.exists, hash) { folder.remove(hash) }
        reader.endRead()
      }
    }
  }

  func stop() { workers.stop() }
}
