import Basics
import CSpawnActions
import Foundation
import Glibc
import Synchronization

/// A program that runs as a process of its own, with a pipe for its output.
///
/// Foundation's `Process` is not used. It copies whole entries out of the buffer in which it lists the open files of
/// the calling process, and so reads past the end of that buffer if there are more than some 1,300: that has ended runs
/// of the tests (swift-corelibs-foundation, pull request 5472).
package final class ChildProcess: Sendable {
  /// Where the program's standard error goes.
  package enum Errors: Sendable {
    case inherited, discarded, inOutput, piped
  }

  package enum End: Equatable, Sendable {
    case exited(Int32)
    case killed(by: Int32)

    /// The exit status as shells have it: with 128 added to the number of a signal.
    package var status: Int32 {
      switch self {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    }
  }

  package struct StartFailure: Error, CustomStringConvertible {
    package let description: String
  }

  package let id: pid_t
  /// The program's standard input, to be written to. It is /dev/null for a program that has none.
  package let input: FileHandle?
  package let output: FileHandle
  /// The program's standard error, if it has a pipe of its own.
  package let errors: FileHandle?
  private let end = Mutex<End?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The program, which is looked for in `PATH` if its name has no slash, and its arguments.
  ///   - folder: The working directory; that of the tests if it is nil.
  ///   - environment: All environment variables; those of the tests if it is nil.
  package init(
    _ command: [String],
    in folder: String? = nil,
    environment: [String: String]? = nil,
    hasInput: Bool = false,
    errors: Errors = .inherited
  ) throws {
    let input = hasInput ? Pipe() : nil
    let output = Pipe()
    let separate = errors == .piped ? Pipe() : nil
    // The end of the input ends many of the programs: others that are started must not keep it open.
    if let input { _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let folder { spawn_actions_add_folder(&actions, folder) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input.fileHandleForReading.fileDescriptor, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
    switch errors {
    case .inherited: break
    case .discarded: posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    case .inOutput: posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    case .piped:
      if let separate {
        posix_spawn_file_actions_adddup2(&actions, separate.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
      }
    }
    spawn_actions_add_close_from(&actions, STDERR_FILENO + 1)

    let variables = environment ?? ProcessInfo.processInfo.environment
    var arguments = command.map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + settings { free(text) } }
    // What a test run in the background ignores is not ignored by the program.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var id = pid_t()
    let status = posix_spawnp(&id, command[0], &actions, &attributes, &arguments, &settings)
    guard status == 0 else {
      throw StartFailure(description: "\(command[0]) did not start: \(String(cString: strerror(status)))")
    }
    self.id = id
    self.input = input?.fileHandleForWriting
    self.output = output.fileHandleForReading
    self.errors = separate?.fileHandleForReading
    // The output ends when the program closes it.
    try output.fileHandleForWriting.close()
    try separate?.fileHandleForWriting.close()
    try input?.fileHandleForReading.close()
  }

  /// The path of a built program, which is next to the test runner.
  package static func besideTests(_ name: String) throws -> String {
    let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Closes the program's standard input, which ends many programs.
  package func endInput() { try? input?.close() }

  /// Blocks until the program has written a line, and returns it without its end; nil if the output has ended before.
  package func readLine() -> String? {
    var line: [UInt8] = []
    while let byte = output.readData(ofLength: 1).first {
      guard byte != 0x0A else { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  /// Sends a signal, unless the program was waited for and has ended.
  package func signal(_ number: Int32) { end.withLock { if $0 == nil { kill(id, number) } } }

  /// Blocks until the program has ended. Any number of threads may wait.
  @discardableResult
  package func wait() -> End {
    // The number of the process stays its own until `waitpid`, so that signals meet no other process.
    while waitid(P_PID, id_t(id), nil, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return end.withLock { end in
      if let end { return end }
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      let known: End = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal)
      end = known
      return known
    }
  }

  /// Runs a program to its end, and returns how it ended and all its output.
  package static func run(
    _ command: [String],
    in folder: String? = nil,
    environment: [String: String]? = nil,
    input: String? = nil,
    errors: Errors = .inherited
  ) throws -> (end: End, output: Data) {
    let process = try ChildProcess(
      command,
      in: folder,
      environment: environment,
      hasInput: input != nil,
      errors: errors
    )
    // A program may write before it has read all, and a pipe holds little. One that ends early must not end the tests.
    if input != nil { Glibc.signal(SIGPIPE, SIG_IGN) }
    let writer = try input.map { text in
      try SystemThread(name: "input") { [input = process.input] in
        try? input?.write(contentsOf: Data(text.utf8))
        try? input?.close()
      }
    }
    let output = try process.output.readToEnd() ?? Data()
    writer?.join()
    return (process.wait(), output)
  }
}
