import EventLoop
import Logging
import Pictures
import Storage
import Synchronization

/// The picture files and the rows of `picture`. They always agree, except for files without a row that are being added
/// or removed.
///
/// With a PostgreSQL database the bytes are in the database (`PictureContents`), and the files are a cache
/// (`PictureCopies`): a file can be missing. When another process removes a picture, its file is removed here too.
///
/// A file is written before the transaction that inserts its row, and removed after the transaction that deletes it. A
/// write that will refer to a file *holds* it, which prevents its removal. Files are removed on the writer's thread,
/// between two transactions, and under the lock that holding takes. The condition "no row, and not held" therefore
/// stays true until the file is removed.
final class PictureStore: Sendable {
  let signingKey: [UInt8]
  private let directory: String
  private let log: Logger
  private let limits: ExaminedPicture.Limits
  let folder: MediaFolder
  let scaled: ScaledPictures
  let cache: ScaledPictureCache
  private let compared: ComparedPictures
  /// Nil if the files are the only copy.
  let databasePictures: DatabasePictures?
  /// Loads pictures, and removes files.
  let workers: WorkerPool
  /// Examines and stores uploads, whose work for the processor and the disk loads must not wait for.
  let uploads: WorkerPool
  private let held = Mutex<[PictureHash: Int]>([:])
  private let follower: ChangeFollower?
  private let isRemovingCopies = Atomic(false)

  /// - Parameters:
  ///   - directory: the data folder.
  ///   - databaseContents: of a PostgreSQL database.
  ///   - follower: sends the hints of removed pictures to other processes; nil if this is the only process.
  init(
    directory: String,
    databaseContents: PictureContents?,
    signingKey: [UInt8],
    _ configuration: Configuration,
    log: Logger,
    follower: ChangeFollower?
  ) throws {
    self.signingKey = signingKey
    self.directory = directory
    self.log = log
    self.follower = follower
    let folder = MediaFolder(path: DataDirectory.mediaPath(in: directory))
    self.folder = folder
    compared = ComparedPictures(folder)
    databasePictures = databaseContents.map { contents in
      DatabasePictures(contents, copies: PictureCopies(folder, limit: configuration.pictureCacheBytes, log: log))
    }
    limits = ExaminedPicture.Limits(bytes: configuration.pictureBytes, pixels: configuration.picturePixels)
    cache = ScaledPictureCache(
      MediaFolder(path: DataDirectory.scaledPath(in: directory)),
      of: folder,
      limit: configuration.pictureCacheBytes
    )
    scaled = try ScaledPictures(cache, of: folder, configuration, log: log)
    // A load takes little time, and a page of an app can have many.
    workers = try WorkerPool(threads: 2, queueLimit: 1_024)
    uploads = try WorkerPool(threads: 2, queueLimit: 128)
    try folder.prepare()
  }

  /// The work of the pools. Kinds take turns, and the clients of a kind do.
  enum Work: UInt8 {
    // 0 is the kind of `WorkLane.common`.
    case load = 1
    case examine = 2
    case store = 3

    func lane(of client: some Hashable) -> WorkLane { WorkLane(kind: rawValue, client: client.hashValue) }
  }

  /// Throws `ExaminedPicture.Rejection`, or `WorkerPool.Overloaded`.
  ///
  /// - Parameter client: who uploads the picture. The members of a family are one client: a family can have hundreds.
  func examine(_ file: ArraySlice<UInt8>, for client: some Hashable) async throws -> ExaminedPicture {
    let limits = limits
    var picture = try await uploads.run(in: Work.examine.lane(of: client)) {
      try ExaminedPicture(file, limits: limits)
    }
    picture.thumbHash = try await scaled.thumbHash(of: picture, in: ScaledPictures.Use.upload.lane(of: client))
    return picture
  }

  /// The bytes of a picture, or nil if it does not exist. Throws `DamagedPicture` if they do not match its hash. Blocks
  /// the thread.
  func content(of hash: PictureHash) throws -> [UInt8]? {
    try requireSoundFile(of: hash)
    guard let databasePictures else { return try folder.read(hash) }
    return try databasePictures.content(of: hash)
  }

  /// Throws `DamagedPicture` if the file does not match its hash: clients would keep the bytes as a picture that never
  /// changes, and so would the cache keep sizes of them. A copy of what is in the database is removed instead, also if
  /// it cannot be read.
  func requireSoundFile(of hash: PictureHash) throws {
    if let databasePictures {
      if (try? compared.isDamaged(hash)) ?? true { databasePictures.copies.remove(hash) }
    } else if try compared.isDamaged(hash) {
      throw DamagedPicture(description: "The file \(folder.path(of: hash)) does not match its hash.")
    }
  }

  // MARK: Holding

  /// Stores the picture's file before `write` runs, which may insert a row that refers to it. The file is removed if
  /// `write` throws.
  ///
  /// - Parameter client: as that of `examine`.
  func holding<Value: Sendable>(
    _ picture: ExaminedPicture,
    for client: some Hashable,
    of database: Database,
    _ write: () async throws -> Value
  ) async throws -> Value {
    let (folder, copies) = (folder, databasePictures?.copies)
    held.withLock { $0[picture.hash, default: 0] += 1 }
    do {
      try await uploads.run(in: Work.store.lane(of: client)) {
        if let copies { return copies.add(picture.content, as: picture.hash) }
        try folder.write(picture.content, as: picture.hash)
      }
      let value = try await write()
      release(picture.hash)
      return value
    } catch {
      release(picture.hash)
      await removeUnlessNamed(picture.hash, database: database)
      throw error
    }
  }

  /// Stores the bytes of a picture in a PostgreSQL database. Must be called in the write that inserts the picture's
  /// row, after that.
  func insertContent(of picture: ExaminedPicture, in transaction: WriteTransaction) throws(DatabaseError) {
    guard databasePictures != nil else { return }
    try transaction.run(PictureContent.insert, (hash: picture.hash, content: Array(picture.content)))
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
    // Looking first is faster if it does not have to wait.
    if !transaction.waitsForRows {
      guard try transaction.reader.hasRow(StoredPicture.unused, ()) else { return }
    }
    try transaction.run(StoredPicture.deleteUnused) { [self] hashes in
      for hash in hashes.compactMap(PictureHash.init) {
        removeUnlessHeld(hash)
        follower?.post(.removedPicture, key: hash.beginning)
      }
    }
  }

  /// This write is best effort: if it fails, the next start removes the file.
  ///
  /// It stores something. A commit that could not be synchronized stays in the log until the next one overwrites it: if
  /// the process ended before, the next start would find its row, whose file must be there.
  private func removeUnlessNamed(_ hash: PictureHash, database: Database) async {
    try? await database.write { transaction in
      guard try !StoredPicture.exists(hash, in: transaction) else { return }
      try transaction.touch()
      transaction.afterCommit { [self] in removeUnlessHeld(hash) }
    }
  }

  /// Runs on the writer's thread while no row has this hash. With PostgreSQL the file is a copy, which can be removed
  /// at any time.
  private func removeUnlessHeld(_ hash: PictureHash) {
    held.withLock { held in
      guard held[hash] == nil else { return }
      if let databasePictures { databasePictures.copies.remove(hash) } else { folder.remove(hash) }
      cache.remove(hash)
    }
  }

  /// Removes the files without a row that a crash, or another process, has left, and their sizes. Runs before requests
  /// are served.
  func removeFilesWithoutRow(of database: Database) async throws {
    try await workers.run { [self] in
      if databasePictures == nil {
        try removeOwnFilesWithoutRow(of: database)
      } else {
        try Self.forEachWithoutRow(in: folder, database) { folder.remove($0) }
      }
      databasePictures?.copies.load()
      try cache.load()
    }
    scaled.probe()
  }

  /// Removes none in a folder of several backups: there, files without a row in this database can be the only copies
  /// of another backup's pictures.
  private func removeOwnFilesWithoutRow(of database: Database) throws {
    guard let lock = MediaFolderLock(folder) else {
      log.warning("A backup is being written into the data folder, so pictures that no row refers to are kept.")
      return
    }
    defer { lock.release() }
    let others = OtherDatabases.names(in: directory)
    guard others.isEmpty else {
      log.warning(
        "Other databases in the data folder share its pictures, so those that no row refers to are kept.",
        metadata: ["files": "\(others.joined(separator: ", "))"]
      )
      return
    }
    try Self.forEachWithoutRow(in: folder, database) { folder.remove($0) }
  }

  /// The folders of copies and of sizes. A small size is often kept when the copy that it was made from no longer is.
  private var cacheFolders: [MediaFolder] { [folder, cache.folder] }

  /// The copies of pictures that other processes have removed.
  func followedCopies(of database: Database) -> FollowedData {
    FollowedData(
      interval: { Int(Milliseconds.hour) },
      receivers: [
        .removedPicture: { [weak self] hints in
          for hint in hints { self?.removeCopies(beginning: hint.key) }
          return false
        }
      ],
      read: { [weak self] _, _ in self?.removeCopiesWithoutRow(of: database) }
    )
  }

  /// Removes the copy and the sizes of a picture.
  ///
  /// - Parameter beginning: of the hash of a removed picture.
  private func removeCopies(beginning: Int64) {
    Task { [self] in
      // What is left when the workers are busy is removed by `removeCopiesWithoutRow`.
      try? await workers.run { [self] in
        for folder in cacheFolders { for hash in folder.hashes(beginning: beginning) { removeUnlessHeld(hash) } }
      }
    }
  }

  /// Removes the copies and sizes of pictures that other processes have removed, unless it does so already.
  func removeCopiesWithoutRow(of database: Database) {
    guard databasePictures != nil, !isRemovingCopies.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { [self] in
      // If the database does not answer, the next call removes them.
      try? await workers.run { [self] in
        for folder in cacheFolders { try Self.forEachWithoutRow(in: folder, database) { removeUnlessHeld($0) } }
      }
      isRemovingCopies.store(false, ordering: .releasing)
    }
  }

  /// Calls `body` for each picture with a file and without a row. No snapshot lasts longer than a lookup.
  private static func forEachWithoutRow(
    in folder: MediaFolder,
    _ database: Database,
    _ body: (PictureHash) -> Void
  ) throws {
    let reader = try database.makeReader()
    try folder.forEachPicture { hash in
      if try !reader.hasRow(StoredPicture.exists, hash) { body(hash) }
      reader.endRead()
    }
  }

  func stop() {
    scaled.stop()
    uploads.stop()
    workers.stop()
  }
}
