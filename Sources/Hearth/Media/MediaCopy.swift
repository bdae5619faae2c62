import Foundation
import Storage

/// A copy of the pictures' files for a backup, made while others come and go. A file that is in the copy already is
/// left: it is named by its content.
struct MediaCopy {
  private let source: MediaFolder
  private let destination: MediaFolder

  /// - Parameters: data directories, or a folder that is to look like one.
  init(from source: String, to destination: String) {
    self.source = MediaFolder(path: DataDirectory.mediaPath(in: source))
    self.destination = MediaFolder(path: DataDirectory.mediaPath(in: destination.isEmpty ? "." : destination))
  }

  func begin() throws {
    let paths = [source, destination].map { URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path }
    guard paths[0] != paths[1] else {
      throw MediaFolder.Failure(description: "A backup in the data folder itself would have no pictures of its own.")
    }
    try destination.prepare()
  }

  func copyAll() throws {
    try source.forEachFile { hash in try copy(hash) }
  }

  /// Fetches what the database has and the copy has not. False where some of it has been removed meanwhile.
  func complete(for database: String) throws -> Bool {
    let reader = try Database.reader(of: database)
    defer { reader.endRead() }
    var missing: [PictureHash] = []
    try reader.forEachRow(of: PictureUses.pictures, ()) { row in
      if let hash = PictureHash(row.blob(1)), !destination.has(hash) { missing.append(hash) }
    }
    return try missing.allSatisfy { hash in try copy(hash) }
  }

  /// False where there is no such file any more.
  @discardableResult
  private func copy(_ hash: PictureHash) throws -> Bool {
    if destination.has(hash) { return true }
    guard let content = try source.read(hash) else { return false }
    try destination.write(content[...], as: hash)
    return true
  }
}
