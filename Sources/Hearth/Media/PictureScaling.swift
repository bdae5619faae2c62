import CPictureScaling
import Glibc

/// Scales pictures with libvips, each in a process of its own: decoders of pictures have had many faults, and files
/// come from anybody. `CPictureScaling` says what that process cannot do.
package struct PictureScaling: Sendable {
  /// The first argument of such a process.
  package static let command = "scale-picture"
  /// The memory that scaling can use. An interlaced JPEG with 50 million pixels needs the most.
  static let memoryBytes: UInt64 = 1 << 30
  /// Processor time after which the system ends the process.
  static let processorSeconds: UInt64 = 10
  /// The same for a preview, for which an upload waits, and with it the elapsed time until the upload does without. A
  /// photo of a phone takes a tenth of it, and a HEIC with 50 megapixels nearly all.
  static let previewSeconds: UInt64 = 3
  /// Elapsed time after which the process is ended. It is longer than the processor time, because the process has a low
  /// priority and waits for processors on a busy machine.
  static let wallClockSeconds = 30
  /// The limit of a result's bytes. Actual results are far smaller.
  static let resultBytes = 32 << 20

  enum Output: Sendable {
    case none, jpeg, webp, pixels

    fileprivate var number: UInt32 {
      switch self {
      case .none: PICTURE_OUTPUT_NONE.rawValue
      case .jpeg: PICTURE_OUTPUT_JPEG.rawValue
      case .webp: PICTURE_OUTPUT_WEBP.rawValue
      case .pixels: PICTURE_OUTPUT_RGBA.rawValue
      }
    }
  }

  enum Failure: Error, Equatable {
    /// libvips is not installed.
    case libraryMissing
    /// The system cannot confine processes.
    case notConfined
    /// libvips cannot scale this picture, or not within the limit of memory.
    case picture
    /// libvips cannot scale this picture within the limit of processor time, or was killed.
    case tooSlow
    /// The process did not end within the elapsed time, which depends on what else the machine does.
    case notInTime
    /// The process could not be started, or failed in another way.
    case system(Int32)
  }

  /// The program, whose first argument is `command`: usually this one.
  let program: String

  /// The process itself: runs the command with its arguments. Returns its exit status.
  package static func run(_ arguments: [String]) -> Int32 {
    let numbers = arguments.compactMap { UInt32($0) }
    guard numbers.count == 2 else { return EXIT_FAILURE }
    let output = picture_output(rawValue: numbers[1])
    let seconds = output == PICTURE_OUTPUT_RGBA ? previewSeconds : processorSeconds
    return Int32(picture_scale(Int32(clamping: numbers[0]), output, memoryBytes, seconds).rawValue)
  }

  /// Whether libvips can be used.
  func probe() throws(Failure) {
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(nothing) }
    _ = try scale(nothing, to: 1, .none)
  }

  /// Returns the picture with at most `edge` pixels on its longer side. Blocks for up to `wallClockSeconds`, or until
  /// `deadline`.
  ///
  /// - Parameter file: a descriptor of a regular file.
  func scale(
    _ file: Int32,
    to edge: Int,
    _ output: Output,
    until deadline: ContinuousClock.Instant? = nil
  ) throws(Failure) -> [UInt8] {
    var ends: [Int32] = [0, 0]
    guard picture_pipe(&ends) == 0 else { throw .system(errno) }
    defer { close(ends[0]) }
    let process: pid_t
    do throws(Failure) {
      process = try start([Self.command, "\(edge)", "\(output.number)"], reading: file, writing: ends[1])
    } catch {
      close(ends[1])
      throw error
    }
    close(ends[1])
    let (result, reason) = Self.read(ends[0], until: deadline ?? .now + .seconds(Self.wallClockSeconds))
    // It has ended, or it must. A process that has ended keeps its status.
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if let reason { throw reason }
    // The system ends it so at the limit of its processor time.
    guard status & 0x7F != SIGKILL else { throw .tooSlow }
    // It was ended by another signal: a fault of a decoder.
    guard status & 0x7F == 0 else { throw .picture }
    switch picture_scaling_status(rawValue: UInt32(status >> 8 & 0xFF)) {
    case PICTURE_SCALED: return result
    case PICTURE_LIBRARY_MISSING: throw .libraryMissing
    case PICTURE_NOT_CONFINED: throw .notConfined
    case PICTURE_UNREADABLE: throw .picture
    default: throw .system(status)
    }
  }

  private func start(_ arguments: [String], reading input: Int32, writing output: Int32) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The server ignores some signals, and its threads may block some.
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    var texts = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    // Without the server's environment, which has secrets.
    var variables: [UnsafeMutablePointer<CChar>?] = [nil]
    let error = posix_spawn(&process, program, &actions, &attributes, &texts, &variables)
    guard error == 0 else { throw .system(error) }
    return process
  }

  /// Everything until the process closes its output, or why that did not happen.
  private static func read(
    _ output: Int32,
    until deadline: ContinuousClock.Instant
  ) -> (result: [UInt8], Failure?) {
    var result: [UInt8] = []
    while true {
      let left = deadline - .now
      guard left > .zero else { return ([], .notInTime) }
      guard result.count <= resultBytes else { return ([], .picture) }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, Int32(left / .milliseconds(1)) + 1)
      if ready < 0, errno != EINTR { return ([], .system(errno)) }
      guard ready > 0 else { continue }
      let some = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        filled = max(Glibc.read(output, buffer.baseAddress, buffer.count), 0)
      }
      if some.isEmpty { return (result, nil) }
      result += some
    }
  }
}
