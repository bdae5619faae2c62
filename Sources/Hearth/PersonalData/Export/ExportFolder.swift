import Basics
import EventLoop
import Glibc
import Logging
import Storage

/// The archives of exports, in the folder `exports` of the data folder. They are deleted when their URLs expire, also
/// after a restart: the names of the files have the time. Unfinished ones are deleted at the start.
final class ExportFolder: Sendable {
  /// How long an archive can be loaded, in milliseconds.
  static let lifetime: Int64 = Milliseconds.hour

  static let service = FeatureService("exports") { services in
    try ExportFolder(directory: services.directory, services.database)
  }
  /// Deletes expired archives, at the start too.
  static let cleaning = FeatureService("deletion of exports") { services in
    let folder = services[ExportFolder.service]
    return Scheduler(
      "deletion of exports",
      leases: nil,
      database: services.database,
      clock: services.clock,
      log: services.log
    ) {
      now,
      _ in
      folder.removeExpired(at: now)
    }
  }

  private static let archiveSuffix = ".zip"
  /// The suffix of an archive that is being written. No URL leads to it.
  private static let unfinishedSuffix = ".unfinished"

  let path: String
  private let database: Database
  /// One at a time, and after everything else that the machine does.
  let worker: WorkerPool

  init(directory: String, _ database: Database) throws {
    path = DataFile.exports.path(in: directory)
    self.database = database
    worker = try WorkerPool(threads: 1, queueLimit: 64, priority: .idle)
    mkdir(path, 0o700)
    for name in FileCalls.names(in: path) where name.hasSuffix(Self.unfinishedSuffix) { unlink("\(path)/\(name)") }
  }

  /// Writes an archive on a thread of its own. Throws `WorkerPool.Overloaded`.
  func add(
    at now: Int64,
    _ write: @escaping @Sendable (ZipArchive, Reader) throws -> Void
  ) async throws -> ExportAddress {
    let (database, folder) = (database, self)
    return try await worker.run {
      let address = ExportAddress(expiresAt: now + Self.lifetime)
      let unfinished = "\(folder.path)/\(address.name)\(Self.unfinishedSuffix)"
      do {
        let archive = try ZipArchive(at: unfinished)
        try write(archive, try database.makeReader())
        guard rename(unfinished, folder.file(of: address)) == 0 else {
          throw SystemError(errno, during: "renaming an archive")
        }
      } catch {
        unlink(unfinished)
        throw error
      }
      return address
    }
  }

  func file(of address: ExportAddress) -> String { "\(path)/\(address.name)\(Self.archiveSuffix)" }

  /// Returns when the next archive expires.
  func removeExpired(at now: Int64) -> Int64? {
    var next: Int64?
    for name in FileCalls.names(in: path) where name.hasSuffix(Self.archiveSuffix) {
      if let address = ExportAddress(name: String(name.dropLast(Self.archiveSuffix.count))), address.expiresAt > now {
        next = min(next ?? .max, address.expiresAt)
      } else {
        unlink("\(path)/\(name)")
      }
    }
    return next
  }
}

extension Services {
  var exports: ExportFolder { self[ExportFolder.service] }
}
