import Foundation
import Storage

/// A copy of the pictures' files for a backup, made while others come and go.
struct MediaCopy {
  private let source: MediaFolder
  private let destination: MediaFolder
  private var files: FileManager { .default }

  init(from source: String, to destination: String) {
    self.source = MediaFolder(path: source)
    self.destination = MediaFolder(path: destination)
  }

  func begin() throws {
    guard !files.fileExists(atPath: destination.path) else {
      throw MediaFolder.Failure(description: "\(destination.path) exists: a backup never replaces anything.")
    }
    try destination.prepare()
  }

  func copyAll() throws {
    try source.forEachFile { hash in try copy(hash) }
  }

  /// Fetches what the database has and the copy has not, and removes what only the copy has.
  func complete(for database: String) throws {
    let reader = try Database.reader(of: database)
    defer { reader.endRead() }
    var named: Set<PictureHash> = []
    try reader.statement(PictureUses.pictures).forEachRow { row in
      if let hash = PictureHash(row.blob(1)) { named.insert(hash) }
    }
    destination.forEachFile { hash in
      if named.remove(hash) == nil { destination.remove(hash) }
    }
    for hash in named {
      guard try copy(hash) else {
        throw MediaFolder.Failure(description: "A picture was removed while it was copied: make the backup again.")
      }
    }
    try? files.removeItem(atPath: destination.path + "/incoming")
  }

  func abandon() { try? files.removeItem(atPath: destination.path) }

  /// False where there is no such file any more.
  @discardableResult
  private func copy(_ hash: PictureHash) throws -> Bool {
    guard let content = try source.read(hash) else { return false }
    try destination.write(content[...], as: hash)
    return true
  }
}
