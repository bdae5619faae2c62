import Foundation
import TestSupport
import Testing

@testable import Hearth

/// Pictures as cameras make them, and others that are made to harm decoders, by `Tests/Media/make_large_pictures.py`.
struct LargePictures: Sendable {
  /// Whether pictures can be scaled here, and be made and looked at by other programs.
  static let areAvailable =
    RealPictureTests.hasPillow && (try? PictureScaling(program: Program.executable().path).probe()) != nil

  /// Made once a process, which takes seconds. They have a few megabytes.
  private static let made = Task { try await make() }

  private let contents: [String: [UInt8]]

  /// Fails each test that needs them. What `#require` throws would fail only the first one.
  private struct Failure: Error { let output: String }

  init() async throws { contents = try await Self.made.value }

  private static func make() async throws -> [String: [UInt8]] {
    let folder = try TemporaryDirectory()
    let making = try await PythonScript.run("Media/make_large_pictures.py", folder.path)
    guard making.status == 0 else { throw Failure(output: making.output) }
    var contents: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")))
    }
    return contents
  }

  subscript(name: String) -> [UInt8] {
    get throws { try #require(contents[name], "\(name)") }
  }

  /// Format, size, and the colours of the first and of the last pixel, as Pillow decodes them.
  static func look(at picture: [UInt8]) async throws -> Value {
    let folder = try TemporaryDirectory()
    let file = folder.path + "/picture"
    try Data(picture).write(to: URL(fileURLWithPath: file))
    let program = """
      import json, sys
      from PIL import Image
      picture = Image.open(sys.argv[1])
      width, height = picture.size
      ends = [picture.getpixel((2, 2)), picture.getpixel((width - 3, height - 3))]
      print(json.dumps({"format": picture.format, "width": width, "height": height, "ends": ends}))
      """
    let looking = try await PythonScript.run(code: program, [file])
    try #require(looking.status == 0, "\(looking.output)")
    return try Value(Array(looking.output.utf8))
  }
}

extension TestServer {
  /// A server that scales pictures.
  static func runScaling(
    in directory: TemporaryDirectory? = nil,
    program: String? = nil,
    cacheBytes: Int = 1 << 30,
    log: RecordedLog = RecordedLog(),
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let program = try program ?? Program.executable().path
    let configure = { @Sendable (configuration: inout Configuration) in
      configuration.scalingProgram = program
      configuration.pictureCacheBytes = cacheBytes
    }
    try await run(in: directory, log: log.logger, configure: configure, body)
  }

  /// The files of sizes, as `HASH-SIZE`.
  var scaledFiles: [String] {
    let folder = directory.path + "/scaled"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.count > 60 }.map { $0.replacing("/", with: "") }.sorted()
  }
}
