import Basics
import CCurl

/// A mail on its way to an SMTP server, as libcurl's callbacks see it. Used only by the thread that performs the
/// transfer.
final class SMTPTransfer {
  private var rest: ArraySlice<UInt8>
  private let isCancelled: () -> Bool
  private(set) var dialogue = SMTPDialogue()
  /// When QUIT was sent, in nanoseconds.
  private var quitAt: UInt64?

  /// libcurl waits up to two minutes for the reply to QUIT, even if the server has accepted the mail.
  private static let longestQuit: UInt64 = 2_000_000_000

  /// - Parameter isCancelled: called at least once a second.
  init(_ bytes: [UInt8], isCancelled: @escaping () -> Bool) {
    rest = bytes[...]
    self.isCancelled = isCancelled
  }

  static let read: curl_read_callback = { buffer, size, count, transfer in
    guard let buffer, let transfer else { return 0 }
    let taken = from(transfer).take(size * count)
    taken.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(start: buffer, count: size * count).copyMemory(from: bytes)
    }
    return taken.count
  }

  /// A result other than 0 cancels the transfer or, when the outcome is certain, the wait for the reply to QUIT.
  static let progress: curl_xferinfo_callback = { transfer, _, _, _, _ in
    guard let transfer else { return 0 }
    return from(transfer).mustEnd ? 1 : 0
  }

  /// Receives a whole line of the dialogue at a time. The lines may contain the password, and are not kept.
  static let observe: curl_debug_callback = { _, kind, bytes, count, transfer in
    guard let bytes, let transfer, kind == CURLINFO_HEADER_OUT || kind == CURLINFO_HEADER_IN else { return 0 }
    let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    if kind == CURLINFO_HEADER_OUT {
      from(transfer).send(line)
    } else {
      from(transfer).dialogue.receive(line)
    }
    return 0
  }

  private static func from(_ pointer: UnsafeMutableRawPointer) -> SMTPTransfer {
    Unmanaged<SMTPTransfer>.fromOpaque(pointer).takeUnretainedValue()
  }

  private var mustEnd: Bool {
    quitAt.map { MonotonicClock.nanoseconds - $0 > Self.longestQuit } ?? false || isCancelled()
  }

  private func send(_ line: String) {
    dialogue.send(line)
    if dialogue.isEnding { quitAt = quitAt ?? MonotonicClock.nanoseconds }
  }

  private func take(_ maximum: Int) -> ArraySlice<UInt8> {
    defer { rest = rest.dropFirst(maximum) }
    return rest.prefix(maximum)
  }
}
