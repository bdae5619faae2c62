import Bytes

/// The files of sizes, up to a total size: those that were not used for the longest time are removed first. They can be
/// made again, so they are in no backup. All methods block, so they must not be called on an event loop.
///
/// A size never outlives its picture. Callers that remove a picture's file call `remove` afterwards. A file that is
/// added meanwhile finds that the picture has gone, and is removed by `add`, or else by `remove`, which comes later.
final class ScaledPictureCache: Sendable {
  private struct Scaled: Hashable, Sendable {
    let hash: PictureHash
    let size: PictureSize
  }

  let folder: MediaFolder
  private let originals: MediaFolder
  private let cache: FileCache<Scaled>

  /// - Parameter limit: the maximum number of bytes of all files.
  init(_ folder: MediaFolder, of originals: MediaFolder, limit: Int) {
    self.folder = folder
    self.originals = originals
    cache = FileCache(limit: limit) { file in folder.path(of: file.hash, file.size) }
  }

  /// The number of bytes of all files.
  var byteCount: Int { cache.byteCount }

  /// Learns which files there are, and removes those whose picture has gone. Must be called once, before others.
  func load() throws(MediaFolder.Failure) {
    try folder.prepare()
    var found: [Scaled] = []
    folder.forEachSize { hash, size in
      guard originals.has(hash) else { return folder.remove(hash, size: size) }
      found.append(Scaled(hash: hash, size: size))
    }
    cache.load(found)
  }

  /// Returns nil if there is no such file.
  func read(_ hash: PictureHash, size: PictureSize) throws(MediaFolder.Failure) -> [UInt8]? {
    guard cache.touch(Scaled(hash: hash, size: size)) else { return nil }
    return try folder.read(hash, size: size)
  }

  /// The number of bytes of a file, which counts as used; nil if there is no such file.
  func byteCount(of hash: PictureHash, size: PictureSize) -> Int? {
    guard cache.touch(Scaled(hash: hash, size: size)) else { return nil }
    return folder.byteCount(of: hash, size: size).map { Int($0) }
  }

  /// Returns a part of a file, or nil if there is no such file.
  func read(
    _ part: Range<Int>,
    of hash: PictureHash,
    size: PictureSize
  ) throws(MediaFolder.Failure) -> ByteBuffer? {
    try folder.read(part, of: hash, size: size)
  }

  /// Adds a file, unless the picture has gone.
  func add(_ content: [UInt8], as hash: PictureHash, _ size: PictureSize) throws(MediaFolder.Failure) {
    try folder.write(content[...], as: hash, size)
    cache.add(Scaled(hash: hash, size: size), bytes: content.count, unless: { !originals.has(hash) })
  }

  /// Removes the sizes of a picture whose file has been removed.
  func remove(_ hash: PictureHash) { cache.remove(PictureSize.allCases.map { Scaled(hash: hash, size: $0) }) }
}
