import Foundation
import Storage

/// Copies the picture files for a backup while files are added and removed. Files are named by their content, so those
/// that the copy already has are skipped.
struct MediaCopy {
  private let source: MediaFolder
  private let destination: MediaFolder

  /// - Parameters:
  ///   - source: a data folder.
  ///   - destination: a folder that will have the layout of a data folder.
  init(from source: String, to destination: String) {
    self.source = MediaFolder(path: DataDirectory.mediaPath(in: source))
    self.destination = MediaFolder(path: DataDirectory.mediaPath(in: destination.isEmpty ? "." : destination))
  }

  func begin() throws {
    let paths = [source, destination].map { URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path }
    guard paths[0] != paths[1] else {
      throw MediaFolder.Failure(
        description: "A backup cannot be made into the data folder itself, because it would share its pictures."
      )
    }
    try destination.prepare()
  }

  func copyAll() throws {
    try source.forEachFile { hash in try copy(hash) }
  }

  /// Copies the files that the copied database names and the copy lacks. Returns false if some of them have been
  /// removed meanwhile.
  func complete(for database: String) throws -> Bool {
    let reader = try Database.reader(of: database)
    defer { reader.endRead() }
    var missing: [PictureHash] = []
    try reader.forEachRow(of: PictureUses.pictures, ()) { row in
      if let hash = PictureHash(row.blob(1)), !destination.has(hash) { missing.append(hash) }
    }
    return try missing.allSatisfy { hash in try copy(hash) }
  }

  /// Returns false if the file does not exist any more.
  @discardableResult
  private func copy(_ hash: PictureHash) throws -> Bool {
    if destination.has(hash) { return true }
    guard let content = try source.read(hash) else { return false }
    try destination.write(content[...], as: hash)
    return true
  }
}
