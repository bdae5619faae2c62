import Hearth

extension ServerOptions {
  static let possiblePorts = 0...65_535
  static let possibleLoops = 1...256

  /// - Throws: `CommandError` with a sentence about the first setting that is not valid.
  init(_ environment: Environment) throws {
    self.init()
    host = environment.text("HEARTH_HOST") ?? host
    port = try environment.number("HEARTH_PORT", in: Self.possiblePorts) ?? port
    dataDirectory = environment.text("HEARTH_DATA") ?? dataDirectory
    loops = try environment.number("HEARTH_LOOPS", in: Self.possibleLoops)
    try environment.configure(&configuration)
  }
}
