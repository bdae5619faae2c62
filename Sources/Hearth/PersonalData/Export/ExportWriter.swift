import Foundation
import Pictures
import Storage

/// Writes the archive of an export: `data.json` with a list for each section, and the pictures that it names. Holds one
/// row or one picture in memory. Blocks.
struct ExportWriter {
  /// The limits of an archive, without what `data.json` and the directory need.
  static let maximumPictureBytes = ZipArchive.maximumSize - 500_000_000
  static let maximumPictures = ZipArchive.maximumEntries - 1

  let member: MemberKey
  let sections: [ExportSection]
  let cipher: IdentifierCipher
  let pictures: PictureStore
  /// Pictures beyond this total are left out, and listed.
  var pictureBytes = Self.maximumPictureBytes

  private struct Names {
    var paths: [Int64: String] = [:]
    var files: [(path: String, hash: PictureHash)] = []
    /// The paths of pictures that are not in the archive.
    var omitted: [String] = []
    var bytes: Int64 = 0
  }

  func write(to archive: ZipArchive, from reader: Reader, at now: Int64) throws {
    var names = Names()
    try archive.begin("data.json")
    try archive.write("{\"exportedAt\":\"\(ExportedValue.time(now))\"".utf8)
    for section in sections {
      try archive.write(",\n\"\(section.name)\":[".utf8)
      try write(section, to: archive, from: reader, names: &names)
      try archive.write("]".utf8)
      // Each section has a budget of its own.
      reader.endRead()
    }
    try archive.write(",\n\"omittedPictures\":".utf8)
    try archive.write(JSONSerialization.data(withJSONObject: names.omitted, options: .withoutEscapingSlashes))
    try archive.write("}\n".utf8)
    try archive.requireSpace(for: Int(names.bytes))
    for file in names.files {
      // It can have been removed meanwhile, and a damaged one must not keep a person from the rest.
      guard let content = try soundContent(of: file.hash) else { continue }
      try archive.begin(file.path)
      try archive.write(content)
    }
    try archive.finish()
  }

  private func soundContent(of hash: PictureHash) throws -> [UInt8]? {
    do { return try pictures.content(of: hash) } catch is DamagedPicture { return nil }
  }

  private func write(
    _ section: ExportSection,
    to archive: ZipArchive,
    from reader: Reader,
    names: inout Names
  ) throws {
    var failure: (any Error)?
    var isFirst = true
    try reader.forEachRow(of: section.statement, member) { row in
      guard failure == nil else { return }
      do {
        var object: [String: Any] = [:]
        for (index, column) in section.columns.enumerated() {
          object[column.name] = try column.value.json(row, index, cipher: cipher) { number in
            try path(ofPicture: number, from: reader, names: &names)
          }
        }
        try archive.write((isFirst ? "\n" : ",\n").utf8)
        try archive.write(JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]))
        isFirst = false
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// The path of a picture in the archive, also if it is left out because the pictures are too large together.
  private func path(ofPicture number: Int64, from reader: Reader, names: inout Names) throws -> String? {
    if let known = names.paths[number] { return known }
    var found: StoredPicture?
    try StoredPicture.load([number], from: reader) { _, picture in found = picture }
    guard let found else { return nil }
    let path = "pictures/\(found.address.hash.hexadecimal).\(found.address.format.fileExtension)"
    names.paths[number] = path
    if names.bytes + found.byteCount <= pictureBytes, names.files.count < Self.maximumPictures {
      names.bytes += found.byteCount
      names.files.append((path: path, hash: found.address.hash))
    } else {
      names.omitted.append(path)
    }
    return path
  }
}
