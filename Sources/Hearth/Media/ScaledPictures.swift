import EventLoop
import Foundation
import Glibc
import Logging
import Pictures
import Synchronization

/// The sizes of pictures. Each is made when it is first requested, and kept by a cache.
///
/// Where a size cannot be made, the picture itself is served: libvips is not installed, the picture is damaged or would
/// take too long, or too many others wait.
final class ScaledPictures: Sendable {
  private struct State {
    var isUsable: Bool
    /// The sizes that are being made. Further requests wait for them.
    var running: [PictureAddress: Task<[UInt8]?, Never>] = [:]
    /// Whether the last size that was made could not be kept.
    var isCacheFailing = false
    var failed = FailedPictures()
  }

  private let scaling: PictureScaling
  private let originals: MediaFolder
  private let cache: ScaledPictureCache
  let workers: WorkerPool
  private let log: Logger
  private let state: Mutex<State>

  /// Half of the processors: the loops need the rest.
  static let threads = max(ProcessInfo.processInfo.activeProcessorCount / 2, 1)
  /// The maximum number of queued pictures of all clients, and of one client.
  private static let queueLimit = 64
  private static let laneLimit = 16

  /// What scales pictures. Kinds take turns, and the clients of a kind do.
  enum Use: UInt8 {
    case delivery = 0
    case upload = 1

    func lane(of client: some Hashable) -> WorkLane { WorkLane(kind: rawValue, client: client.hashValue) }
  }

  init(_ cache: ScaledPictureCache, of originals: MediaFolder, _ configuration: Configuration, log: Logger) throws {
    self.cache = cache
    self.originals = originals
    self.log = log
    scaling = PictureScaling(program: configuration.scalingProgram ?? "")
    state = Mutex(State(isUsable: configuration.scalingProgram != nil && configuration.pictureCacheBytes > 0))
    workers = try WorkerPool(threads: Self.threads, queueLimit: Self.queueLimit, laneLimit: Self.laneLimit)
  }

  /// Tries whether pictures can be scaled, which is logged if not.
  func probe() {
    guard state.withLock({ $0.isUsable }) else { return }
    let scaling = scaling
    Task {
      do {
        try await workers.run { try scaling.probe() }
      } catch let failure as PictureScaling.Failure {
        note(failure, of: nil)
      } catch {}
    }
  }

  /// Returns the size at an address, or nil if the picture itself has to be served.
  func content(at address: PictureAddress, _ size: PictureSize, in lane: WorkLane) async -> [UInt8]? {
    let task: Task<[UInt8]?, Never>? = state.withLock { state in
      if let running = state.running[address] { return running }
      guard state.isUsable, !state.failed.contains(address.hash, at: .now) else { return nil }
      let task = Task { [self] in
        let content = await make(address, size: size, in: lane)
        self.state.withLock { $0.running[address] = nil }
        return content
      }
      state.running[address] = task
      return task
    }
    return await task?.value
  }

  private func make(_ address: PictureAddress, size: PictureSize, in lane: WorkLane) async -> [UInt8]? {
    do {
      return try await workers.run(in: lane) { [self] in
        // Another request may have made it since this one looked.
        if let known = try cache.read(address.hash, size: size) { return known }
        guard let file = try originals.open(address.hash) else { return nil }
        defer { close(file) }
        let content = try scaling.scale(file, to: size.rawValue, address.format == .webp ? .webp : .jpeg)
        // The process has seen a file of a stranger, so its output is not trusted either.
        guard (try? PictureInspection(content[...]))?.format == address.format else {
          throw PictureScaling.Failure.picture
        }
        keep(content, as: address.hash, size)
        return content
      }
    } catch let failure as PictureScaling.Failure {
      note(failure, of: address.hash)
    } catch is WorkerPool.Overloaded {
      log.debug("A picture was served as it is, because too many others are being scaled.")
    } catch {
      log.error("A picture could not be read to scale it.", metadata: ["error": "\(error)"])
    }
    return nil
  }

  /// A cache that cannot be written, as on a full disk, only costs time. The first of several failures is logged.
  private func keep(_ content: [UInt8], as hash: PictureHash, _ size: PictureSize) {
    do throws(MediaFolder.Failure) {
      try cache.add(content, as: hash, size)
      state.withLock { $0.isCacheFailing = false }
    } catch {
      let isFirst = state.withLock { state in
        defer { state.isCacheFailing = true }
        return !state.isCacheFailing
      }
      guard isFirst else { return }
      log.error("Scaled pictures cannot be kept, and are made for each request.", metadata: ["error": "\(error)"])
    }
  }

  /// The preview of a picture that is being uploaded; nil if it cannot be made, or not in time: a picture that takes
  /// long must not delay the uploads of others. Throws `CancellationError`.
  func thumbHash(of picture: ExaminedPicture, in lane: WorkLane) async throws -> ThumbHash? {
    guard state.withLock({ $0.isUsable && !$0.failed.contains(picture.hash, at: .now) }) else { return nil }
    let deadline = ContinuousClock.now + .seconds(Int(PictureScaling.previewSeconds))
    let waiting = WaitingPicture(picture.content)
    defer { _ = waiting.take() }
    let (previews, preview) = AsyncStream<ThumbHash?>.makeStream()
    let hash = picture.hash
    Task { [self] in
      preview.yield(await makeThumbHash(of: hash, waiting, in: lane, until: deadline))
      preview.finish()
    }
    let timer = Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      preview.finish()
    }
    defer { timer.cancel() }
    var iterator = previews.makeAsyncIterator()
    if let made = await iterator.next() { return made }
    try Task.checkCancellation()
    return nil
  }

  private func makeThumbHash(
    of hash: PictureHash,
    _ waiting: WaitingPicture,
    in lane: WorkLane,
    until deadline: ContinuousClock.Instant
  ) async -> ThumbHash? {
    let scaling = scaling
    do {
      return try await workers.run(in: lane) {
        guard let content = waiting.take() else { return nil }
        let file = try MemoryFile(content)
        let pixels = try scaling.scale(file.descriptor, to: ThumbHash.maximumSide, .pixels, until: deadline)
        guard pixels.count > 2 else { return nil }
        return ThumbHash(width: Int(pixels[0]), height: Int(pixels[1]), pixels: pixels.dropFirst(2))
      }
    } catch PictureScaling.Failure.tooSlow, PictureScaling.Failure.notInTime {
      // Its sizes have more time.
      log.debug("A picture has no preview, because making it takes too long.")
    } catch let failure as PictureScaling.Failure {
      note(failure, of: hash)
    } catch {
      log.debug("A picture has no preview, because too many others are being scaled.")
    }
    return nil
  }

  /// The content of a picture whose preview waits for its turn. Nothing holds it longer than its upload waits.
  private final class WaitingPicture: Sendable {
    private let content: Mutex<ArraySlice<UInt8>?>

    init(_ content: ArraySlice<UInt8>) { self.content = Mutex(content) }

    /// Nil if it was taken before.
    func take() -> ArraySlice<UInt8>? { content.withLock { $0.take() } }
  }

  private func note(_ failure: PictureScaling.Failure, of hash: PictureHash?) {
    switch failure {
    case .libraryMissing:
      disable("libvips is not installed, so pictures are served in their original size: see the operating guide.")
    case .notConfined:
      disable("This system cannot confine processes, so pictures are served in their original size.")
    case .picture, .tooSlow:
      guard let hash else { return }
      log.notice("A picture cannot be scaled, and is served as it is.", metadata: ["hash": "\(hash.hexadecimal)"])
      state.withLock { $0.failed.insert(hash, mayPass: false, at: .now) }
    case .notInTime:
      guard let hash else { return }
      log.notice(
        "A picture was not scaled in time, and is served as it is for some minutes.",
        metadata: ["hash": "\(hash.hexadecimal)"]
      )
      state.withLock { $0.failed.insert(hash, mayPass: true, at: .now) }
    case .system(let error):
      log.error("A picture could not be scaled.", metadata: ["error": "\(error)"])
    }
  }

  private func disable(_ reason: String) {
    let isNew = state.withLock { state in
      defer { state.isUsable = false }
      return state.isUsable
    }
    if isNew { log.notice("\(reason)") }
  }

  func stop() { workers.stop() }
}
