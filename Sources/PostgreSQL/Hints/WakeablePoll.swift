import Glibc

/// Waits for a descriptor on a thread that other threads can wake up.
final class WakeablePoll: Sendable {
  private let reading: Int32
  private let writing: Int32

  init() throws(PostgreSQLError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, Self.prepare(ends[0]), Self.prepare(ends[1]) else {
      throw PostgreSQLError(.connecting, message: "There are no descriptors left for a pipe.")
    }
    reading = ends[0]
    writing = ends[1]
  }

  private static func prepare(_ descriptor: Int32) -> Bool {
    fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
  }

  deinit {
    close(reading)
    close(writing)
  }

  func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes too.
    _ = write(writing, &byte, 1)
  }

  /// Waits until one of the `poll` events is possible on `descriptor`, if there is one, the thread was woken up, or the
  /// time is over.
  func wait(for events: Int16 = 0, on descriptor: Int32 = -1, atMost milliseconds: Int32) {
    var watched = [
      pollfd(fd: descriptor, events: events, revents: 0), pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&watched, 2, milliseconds) > 0, watched[1].revents != 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(reading, &bytes, bytes.count) > 0 {}
  }
}
