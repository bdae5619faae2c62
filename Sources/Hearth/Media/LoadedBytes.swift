import Bytes
import Synchronization

/// The bytes of a picture on their way from the thread that reads them to the loop that sends them, without a copy.
final class LoadedBytes: Sendable {
  private let bytes: Mutex<ByteBuffer?>

  init(_ bytes: consuming ByteBuffer) { self.bytes = Mutex(bytes) }

  /// Must be called once.
  func take() -> ByteBuffer? { bytes.withLock { $0.take() } }
}
