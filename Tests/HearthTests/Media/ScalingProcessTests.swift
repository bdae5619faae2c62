import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hearth

/// The process that scales a picture, with a libvips that tries what a decoder does not need:
/// `Tests/Media/hostile_libvips.c`.
@Suite("The process that decodes pictures is confined", .timeLimit(.minutes(2)))
struct ScalingProcessTests {
  private static let hasCompiler = DeploymentTests.has("clang")

  /// A program that scales with the hostile library, which the environment of a server could not choose.
  private static func hostileProgram(in folder: TemporaryDirectory, mode: String) async throws -> String {
    let source = Checkout.root.appendingPathComponent("Tests/Media/hostile_libvips.c").path
    let building = try await Command.run([
      "clang", "-shared", "-fPIC", "-o", folder.path + "/libvips.so.42", source,
    ])
    try #require(building.status == 0, "\(building.output)")
    let script = folder.path + "/hostile"
    let text = """
      #!/bin/sh
      export LD_LIBRARY_PATH=\(folder.path) HEARTH_TEST_MODE=\(mode)
      exec \(try Program.executable().path) "$@"

      """
    try text.write(toFile: script, atomically: true, encoding: .utf8)
    chmod(script, 0o700)
    return script
  }

  private static func scale(_ mode: String) async throws -> Result<String, PictureScaling.Failure> {
    let folder = try TemporaryDirectory()
    let scaling = PictureScaling(program: try await hostileProgram(in: folder, mode: mode))
    return try await TestThread {
      let picture = try MemoryFile([1, 2, 3])
      while true {
        do throws(PictureScaling.Failure) {
          return .success(String(decoding: try scaling.scale(picture.descriptor, to: 128, .jpeg), as: UTF8.self))
        } catch .system(ETXTBSY) {
          // A process that another test has just started still has the script open for writing.
        } catch {
          return .failure(error)
        }
      }
    }.value
  }

  @Test(.enabled(if: hasCompiler, "There is no clang."))
  func `a decoder that was taken over can compute, and nothing else`() async throws {
    setenv("HEARTH_SMTP_SECRET", "secret", 1)
    defer { unsetenv("HEARTH_SMTP_SECRET") }
    #expect(try await Self.scale("try") == .success("succeeded: thread"))
  }

  @Test(
    .enabled(if: hasCompiler, "There is no clang."),
    // On a busy machine, the elapsed time can end before the processor time.
    arguments: [("spin", [.tooSlow, .notInTime]), ("crash", [.picture])] as [(String, [PictureScaling.Failure])]
  )
  func `one that does not end, or crashes, is a picture that cannot be scaled`(
    mode: String,
    failures: [PictureScaling.Failure]
  ) async throws {
    let start = ContinuousClock.now
    let result = try await Self.scale(mode)
    #expect(failures.contains { result == .failure($0) }, "\(result)")
    #expect(start.duration(to: .now) < .seconds(PictureScaling.wallClockSeconds + 10))
  }

  @Test func `one that has not ended in time is no fault of the picture`() throws {
    let picture = try MemoryFile([1, 2, 3])
    let scaling = PictureScaling(program: "/bin/sh")
    var failure: PictureScaling.Failure?
    do throws(PictureScaling.Failure) {
      _ = try scaling.scale(picture.descriptor, to: 128, .jpeg, until: ContinuousClock.now)
    } catch {
      failure = error
    }
    #expect(failure == .notInTime)
  }

  @Test func `without a picture, or with invalid arguments, the process fails`() async throws {
    for arguments in [["128", "1"], ["128"], ["x", "y"], []] {
      let result = try await Program([PictureScaling.command] + arguments).result()
      #expect(result.status != 0 && result.output == "", "\(arguments)")
    }
  }
}
