import EventLoop
import Glibc
import HTTPServer

/// Sends a file piece by piece, no faster than the client reads it. The file is read on a worker thread.
actor FileDownload: ResponseStreamWriter {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private static let pieceBytes = 65_536

  /// The file stays readable until it is closed, even if it is deleted meanwhile.
  private final class OpenFile: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }

    /// The next bytes after `offset`; empty at the end, and nil if they cannot be read.
    func read(at offset: Int) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: FileDownload.pieceBytes)
      let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
      return count < 0 ? nil : Array(bytes.prefix(count))
    }
  }

  private let file: OpenFile
  private let worker: WorkerPool
  private let canBegin: @Sendable () throws -> Bool
  private var stream: ResponseStream?
  private var sent = 0
  private var isSending = false

  /// Nothing is sent while the client is slow: the connection's own deadline ends it.
  let heartbeat: [UInt8] = []

  /// Returns nil if the file cannot be opened.
  ///
  /// - Parameter canBegin: called on a worker thread. Nothing of the file is sent if it throws or returns false.
  init?(
    of path: String,
    on loop: EventLoop,
    _ worker: WorkerPool,
    if canBegin: @escaping @Sendable () throws -> Bool
  ) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.loop = loop
    self.worker = worker
    self.canBegin = canBegin
    file = OpenFile(descriptor)
  }

  func responseDidBegin(_ stream: ResponseStream) {
    self.stream = stream
    proceed()
  }

  func responseDidDrain() { proceed() }

  /// The client learns from the missing end that the file is incomplete.
  func responseShouldEnd() { stream?.assumeOnLoop { $0.close() } }

  func responseDidEnd() { stream = nil }

  private func proceed() {
    guard !isSending, stream != nil else { return }
    isSending = true
    Task(executorPreference: loop) { [self] in await send() }
  }

  /// Sends until the client is behind. It continues when the client has read everything.
  private func send() async {
    defer { isSending = false }
    while stream != nil {
      let (file, offset, canBegin) = (file, sent, canBegin)
      let piece = (try? await worker.run { try offset > 0 || canBegin() ? file.read(at: offset) : nil }) ?? nil
      guard pass(piece) else { return }
    }
  }

  /// Returns whether the client can take another piece.
  private func pass(_ piece: [UInt8]?) -> Bool {
    guard let stream else { return false }
    var continues = false
    stream.assumeOnLoop { stream in
      guard let piece else { return stream.close() }
      guard !piece.isEmpty else { return stream.end() }
      stream.send(piece)
      continues = !stream.isBehind
    }
    sent += piece?.count ?? 0
    return continues
  }
}
