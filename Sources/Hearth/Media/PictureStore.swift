import EventLoop
import Storage
import Synchronization

/// The pictures' files and the rows of `picture`, which agree at all times but for files that no row names yet or any
/// more.
///
/// A file is written before the transaction whose row names it, and removed after the one that took the row away. A
/// write that is about to name a file *holds* it: what is held is not removed. Files are removed on the writer's
/// thread, between two transactions, and only under the lock that holding takes, so that "no row, and nobody holds it"
/// stays true until the file is gone.
final class PictureStore: Sendable {
  let signingKey: [UInt8]
  private let limits: ExaminedPicture.Limits
  private let folder: MediaFolder
  private let workers: WorkerPool
  private let held = Mutex<[PictureHash: Int]>([:])

  /// - Parameter directory: the data directory.
  init(directory: String, signingKey: [UInt8], _ configuration: Configuration) throws {
    self.signingKey = signingKey
    limits = ExaminedPicture.Limits(bytes: configuration.pictureBytes, pixels: configuration.picturePixels)
    folder = MediaFolder(path: DataDirectory.mediaPath(in: directory))
    workers = try WorkerPool(threads: 2, queueLimit: 128)
    try folder.prepare()
  }

  /// Throws `ExaminedPicture.Refusal`, or `WorkerPool.Overloaded`.
  func examine(_ file: ArraySlice<UInt8>) async throws -> ExaminedPicture {
    let limits = limits
    return try await workers.run { try ExaminedPicture(file, limits) }
  }

  /// A file's bytes; nil where there is none. Throws `WorkerPool.Overloaded` when too many are being read.
  func read(_ hash: PictureHash) async throws -> [UInt8]? {
    let folder = folder
    return try await workers.run { try folder.read(hash) }
  }

  // MARK: Holding

  /// Has the picture's file on the disk while `write` runs, which may name it in a row. When it does not, the file
  /// goes.
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
      letGo(picture.hash)
      return value
    } catch {
      letGo(picture.hash)
      await removeUnlessNamed(picture.hash, database)
      throw error
    }
  }

  private func letGo(_ hash: PictureHash) {
    held.withLock { held in
      let rest = (held[hash] ?? 1) - 1
      held[hash] = rest > 0 ? rest : nil
    }
  }

  // MARK: Removing

  /// Takes the rows away that nothing names any more, and with them, once that is on the disk, their files. Called at
  /// the end of every mutation's write: a look into an index that is empty.
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

  /// A write that did not come to pass may be no more than that: then the next start removes the file.
  private func removeUnlessNamed(_ hash: PictureHash, _ database: Database) async {
    try? await database.write { transaction in
      guard try !StoredPicture.exists(hash, transaction) else { return }
      transaction.afterCommit { [self] in removeUnlessHeld(hash) }
    }
  }

  /// On the writer's thread, with no row of that hash.
  private func removeUnlessHeld(_ hash: PictureHash) {
    held.withLock { held in
      if held[hash] == nil { folder.remove(hash) }
    }
  }

  /// Removes the files that a crash has left without a row. Before anything is served.
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
