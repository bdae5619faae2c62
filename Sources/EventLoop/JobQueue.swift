/// The first-in, first-out queue of a loop's jobs. Confined to the loop's thread.
///
/// A ring buffer, so that a job costs one store and one load however long the queue is, and a steady load allocates
/// nothing.
struct JobQueue: ~Copyable {
  /// `mask + 1` slots, of which `count` are initialized, starting at `head` and wrapping around.
  private var slots: UnsafeMutablePointer<UnownedJob>
  private var mask: Int
  private var head = 0
  private(set) var count = 0

  init() {
    mask = 63
    slots = .allocate(capacity: mask + 1)
  }

  // UnownedJob is trivial: there is nothing to deinitialize.
  deinit { slots.deallocate() }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ job: UnownedJob) {
    if count > mask { grow() }
    (slots + ((head &+ count) & mask)).initialize(to: job)
    count &+= 1
  }

  mutating func popFirst() -> UnownedJob? {
    guard count > 0 else { return nil }
    let job = slots[head]
    head = (head &+ 1) & mask
    count &-= 1
    return job
  }

  @inline(never)
  private mutating func grow() {
    let length = mask + 1
    let fresh = UnsafeMutablePointer<UnownedJob>.allocate(capacity: length * 2)
    for offset in 0..<count { (fresh + offset).initialize(to: slots[(head + offset) & mask]) }
    slots.deallocate()
    slots = fresh
    mask = length * 2 - 1
    head = 0
  }
}
