import Basics
import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("LoopDescriptor", .timeLimit(.minutes(20)))
struct LoopDescriptorTests {
  /// The kernel reports such an end as an error beside the bytes that can still be read. libuv then stops the watch.
  @Test func `a peer's end is noticed although it has left bytes unread`() async throws {
    let loop = try EventLoop()
    let bytes = Counter()
    let ended = Counter()
    try await loop.run {
      var descriptors: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0)
      let own = descriptors[0]
      let peer = descriptors[1]
      var watch: (any DescriptorWatch)?
      watch = try loop.makeWatch(of: own) { _ in
        var byte: UInt8 = 0
        if read(own, &byte, 1) == 1 {
          bytes.increment()
          // As an owner does that wants to hear of the same events again.
          watch?.watch(for: .readable)
        } else {
          watch?.stop()
          watch = nil
          close(own)
          ended.increment()
        }
      }
      watch?.watch(for: .readable)
      #expect(write(own, "unread", 6) == 6)
      #expect(write(peer, "x", 1) == 1)
      close(peer)
    }
    await ended.wait(for: 1)
    #expect(bytes.count == 1)
    loop.stop()
    loop.join()
  }
}
