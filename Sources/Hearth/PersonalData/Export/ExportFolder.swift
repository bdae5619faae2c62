import Basics
import EventLoop
import Glibc
import Storage

/// The archives of exports, in the folder `exports` of the data folder: at most one of each member. They are deleted
/// when their URLs expire, also after a restart: the names of the files have the time. Unfinished ones are deleted at
/// the start.
final class ExportFolder: Sendable {
  /// How long an archive can be loaded, in milliseconds.
  static let lifetime: Int64 = Milliseconds.hour

  static let service = FeatureService("exports") { services in
    try ExportFolder(directory: services.directory, services.database, cipher: services.cipher)
  }
  /// Deletes expired archives, at the start too.
  static let cleaning = FeatureService("deletion of exports") { services in
    let folder = services[ExportFolder.service]
    return Scheduler("deletion of exports", in: services.work, isShared: false) { write in
      folder.removeExpired(at: write.now.milliseconds)
    }
  }

  private static let archiveSuffix = ".zip"
  /// The suffix of an archive that is being written. No URL leads to it.
  private static let unfinishedSuffix = ".unfinished"

  let path: String
  private let database: Database
  private let cipher: IdentifierCipher
  /// One at a time, and after everything else that the machine does.
  let worker: WorkerPool

  init(directory: String, _ database: Database, cipher: IdentifierCipher) throws {
    path = DataFile.exports.path(in: directory)
    self.database = database
    self.cipher = cipher
    worker = try WorkerPool(threads: 1, queueLimit: 64, priority: .idle)
    mkdir(path, 0o700)
  }

  /// Deletes the expired and the unfinished archives of a data folder.
  @Sendable static func clean(_ directory: String, at now: Int64) {
    let path = DataFile.exports.path(in: directory)
    for name in FileCalls.names(in: path) where name.hasSuffix(unfinishedSuffix) { unlink("\(path)/\(name)") }
    _ = removeExpired(in: path, at: now)
  }

  /// Writes an archive on a thread of its own. It replaces the member's older one, whose downloads continue. Throws
  /// `WorkerPool.Overloaded`.
  ///
  /// - Parameter minimumFreeBytes: what the archive leaves free on the disk.
  func add(
    of member: MemberKey,
    at now: Int64,
    keepingFree minimumFreeBytes: Int,
    _ write: @escaping @Sendable (ZipArchive, Reader) throws -> Void
  ) async throws -> ExportAddress {
    let (database, folder) = (database, self)
    return try await worker.run {
      let address = ExportAddress(of: member, expiresAt: now + Self.lifetime, folder.cipher)
      let unfinished = "\(folder.path)/\(address.name)\(Self.unfinishedSuffix)"
      do {
        let archive = try ZipArchive(at: unfinished, keepingFree: minimumFreeBytes)
        try write(archive, try database.makeReader())
        guard rename(unfinished, folder.file(of: address)) == 0 else {
          throw ZipArchive.writeFailure(to: "rename", unfinished)
        }
      } catch {
        unlink(unfinished)
        throw error
      }
      folder.removeArchives(of: member.member, except: address)
      return address
    }
  }

  func file(of address: ExportAddress) -> String { "\(path)/\(address.name)\(Self.archiveSuffix)" }

  /// Returns when the next archive expires.
  func removeExpired(at now: Int64) -> Int64? { Self.removeExpired(in: path, at: now) }

  private static func removeExpired(in path: String, at now: Int64) -> Int64? {
    var next: Int64?
    for name in FileCalls.names(in: path) where name.hasSuffix(archiveSuffix) {
      if let address = ExportAddress(name: String(name.dropLast(archiveSuffix.count))), address.expiresAt > now {
        next = min(next ?? .max, address.expiresAt)
      } else {
        unlink("\(path)/\(name)")
      }
    }
    return next
  }

  /// Deletes the archives of an adult or a child, also one that is being written: it has what was stored before, and
  /// cannot be renamed any more.
  func removeArchives(of member: GlobalID, except kept: ExportAddress? = nil) {
    let text = cipher.text(of: member)
    for name in FileCalls.names(in: path) {
      guard let suffix = [Self.archiveSuffix, Self.unfinishedSuffix].first(where: name.hasSuffix) else { continue }
      let address = ExportAddress(name: String(name.dropLast(suffix.count)))
      if let address, address.member == text, address != kept { unlink("\(path)/\(name)") }
    }
  }
}

extension Services {
  var exports: ExportFolder { self[ExportFolder.service] }
}
