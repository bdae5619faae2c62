import EventLoop
import Glibc
import Logging
import Storage
import Synchronization

/// The archives of exports, in the folder `exports` of the data folder. They are deleted when their URLs expire, and at
/// the start.
final class ExportFolder: Sendable {
  /// How long an archive can be loaded, in milliseconds.
  static let lifetime: Int64 = 3_600_000

  static let service = FeatureService("exports") { services in
    try ExportFolder(directory: services.directory, services.database)
  }
  /// Deletes expired archives.
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

  let path: String
  private let database: Database
  /// One at a time, and after everything else that the machine does.
  let worker: WorkerPool
  private let known = Mutex<[ExportAddress]>([])

  init(directory: String, _ database: Database) throws {
    path = directory + "/exports"
    self.database = database
    worker = try WorkerPool(threads: 1, queueLimit: 64, priority: .idle)
    mkdir(path, 0o700)
    for name in Self.names(in: path) { unlink("\(path)/\(name)") }
  }

  /// Writes an archive on a thread of its own. Throws `WorkerPool.Overloaded`.
  func add(
    at now: Int64,
    _ write: @escaping @Sendable (ZipArchive, Reader) throws -> Void
  ) async throws -> ExportAddress {
    let (database, folder) = (database, self)
    return try await worker.run {
      let address = ExportAddress(name: Secrets.randomText(), expiresAt: now + Self.lifetime)
      let file = folder.file(of: address)
      do {
        let archive = try ZipArchive(at: file)
        try write(archive, try database.makeReader())
      } catch {
        unlink(file)
        throw error
      }
      folder.known.withLock { $0.append(address) }
      return address
    }
  }

  func file(of address: ExportAddress) -> String { "\(path)/\(address.name).zip" }

  func has(_ address: ExportAddress) -> Bool { known.withLock { $0.contains(address) } }

  /// Returns when the next archive expires.
  func removeExpired(at now: Int64) -> Int64? {
    known.withLock { known in
      for address in known where address.expiresAt <= now { unlink(file(of: address)) }
      known.removeAll { $0.expiresAt <= now }
      return known.map(\.expiresAt).min()
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
      )
    }
    return names.filter { $0.hasSuffix(".zip") }
  }
}

extension Services {
  var exports: ExportFolder { self[ExportFolder.service] }
}
