import Bytes
import EventLoop
import Pictures

/// Loading pictures in two steps: the first finds how many bytes there are, so that the caller can reserve them before
/// the second reads them. Many clients can request large pictures at once without reading them.
extension PictureStore {
  /// What is served at an address.
  struct Served: Sendable {
    /// Its format and size, which differ from those of the requested address if a size could not be made.
    let address: PictureAddress
    let byteCount: Int
    /// The bytes of a size that was made for this request.
    var made: [UInt8]?
  }

  /// Finds what is served at an address; nil if the picture does not exist. Throws `WorkerPool.Overloaded` if too many
  /// loads are queued.
  ///
  /// - Parameter client: who requests it.
  func find(_ address: PictureAddress, for client: some Hashable) async throws -> Served? {
    let lane = Work.load.lane(of: client)
    guard let size = address.size else {
      return try await workers.run(in: lane) { [self] in
        try requireSoundFile(of: address.hash)
        return try byteCount(of: address.hash).map { Served(address: address, byteCount: $0) }
      }
    }
    let known: Int? = try await workers.run(in: lane) { [self] in
      if let known = cache.byteCount(of: address.hash, size: size) { return known }
      try requireSoundFile(of: address.hash)
      // It is scaled from the file, which a server with PostgreSQL may not have.
      if databasePictures != nil { _ = try content(of: address.hash) }
      return nil
    }
    if let known { return Served(address: address, byteCount: known) }
    if let made = await scaled.content(at: address, size, in: ScaledPictures.Use.delivery.lane(of: client)) {
      return Served(address: address, byteCount: made.count, made: made)
    }
    return try await workers.run(in: lane) { [self] in
      guard let count = try byteCount(of: address.hash), let format = try format(of: address.hash) else { return nil }
      return Served(address: PictureAddress(address.hash, format: format), byteCount: count)
    }
  }

  /// Reads a part of what was found; nil if it was removed since. Throws `WorkerPool.Overloaded` if too many loads are
  /// queued.
  func load(_ part: Range<Int>, of served: Served, for client: some Hashable) async throws -> LoadedBytes? {
    try await workers.run(in: Work.load.lane(of: client)) { [self] in
      let hash = served.address.hash
      if let made = served.made { return Self.copy(made[part]) }
      if let size = served.address.size {
        guard let bytes = try cache.read(part, of: hash, size: size) else { return nil }
        return LoadedBytes(bytes)
      }
      guard databasePictures != nil else {
        guard let bytes = try folder.read(part, of: hash) else { return nil }
        return LoadedBytes(bytes)
      }
      guard let content = try content(of: hash) else { return nil }
      guard content.count == served.byteCount else {
        throw DamagedPicture(description: "The copy of the picture \(hash.hexadecimal) has another length.")
      }
      return Self.copy(content[part])
    }
  }

  private static func copy(_ bytes: ArraySlice<UInt8>) -> LoadedBytes {
    var copy = ByteBuffer(capacity: bytes.count)
    copy.append(bytes)
    return LoadedBytes(copy)
  }

  /// The number of bytes of a picture as it was uploaded; nil if it does not exist. Blocks the thread.
  private func byteCount(of hash: PictureHash) throws -> Int? {
    if let count = folder.byteCount(of: hash) { return Int(count) }
    return try databasePictures?.find(hash)?.byteCount
  }

  /// The format of a picture as it was uploaded, by its first bytes; nil if it does not exist. Blocks the thread.
  private func format(of hash: PictureHash) throws -> PictureFormat? {
    guard let beginning = try folder.read(0..<PictureFormat.signatureBytes, of: hash) else {
      return try databasePictures?.find(hash)?.format
    }
    guard let format = PictureFormat(signature: beginning.array()[...]) else { throw PictureFault.unknownFormat }
    return format
  }
}
