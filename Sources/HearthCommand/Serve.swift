import ArgumentParser
import Foundation
import Hearth
import Logging

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves GraphQL over HTTP.",
    discussion: """
      Every option can also be given by its environment variable, and every variable can be set in a file, one NAME=value a \
      line: options come before the environment, and that before the file. By environment variables or the file only:

      \(ServerSetting.all.filter { $0.option == nil }.map(help).joined(separator: "\n"))
      """
  )

  private static func help(_ setting: ServerSetting) -> String {
    "  \(setting.variables.joined(separator: ", "))\n      \(setting.help)"
  }

  private static func help(ofOption option: String, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(ServerSetting.help(ofOption: option), valueName: valueName)
  }

  @Option(help: help(ofOption: "host"))
  var host: String?

  @Option(help: help(ofOption: "port"))
  var port: Int?

  @Option(help: help(ofOption: "data", valueName: "dir"))
  var data: String?

  @Option(help: help(ofOption: "loops"))
  var loops: Int?

  @Option(help: help(ofOption: "config", valueName: "file"))
  var config: String?

  @Flag(help: help(ofOption: "accept-lost-log"))
  var acceptLostLog = false

  @Flag(help: help(ofOption: "demo"))
  var demo = false

  func validate() throws {
    if let port, !(0...65_535).contains(port) { throw ValidationError("--port must be from 0 to 65,535.") }
    if let loops, !Self.possibleLoops.contains(loops) { throw ValidationError("--loops must be from 1 to 256.") }
  }

  private static let possibleLoops = 1...256

  func run() async throws {
    let given = ProcessInfo.processInfo.environment
    let file = try (config ?? given["HEARTH_CONFIG"]).map { try ConfigurationFile(path: $0).variables } ?? [:]
    let environment = Environment(file.merging(given) { _, environment in environment })
    var options = ServerOptions()
    options.host = host ?? environment.text("HEARTH_HOST") ?? options.host
    options.port = try port ?? environment.number("HEARTH_PORT", in: 0...65_535) ?? options.port
    options.dataDirectory = data ?? environment.text("HEARTH_DATA") ?? options.dataDirectory
    options.loops = try loops ?? environment.number("HEARTH_LOOPS", in: Self.possibleLoops)
    options.isDemonstration = demo
    try environment.configure(&options.configuration)
    options.configuration.acceptsLostLog = acceptLostLog
    let log = Log.standardError(level: try environment.logLevel())

    let server = try await Server(options, log: log)
    // IPv6 addresses in URLs are bracketed.
    let host = options.host.contains(":") ? "[\(options.host)]" : options.host
    try await server.runUntilSignal {
      // Written without buffering, because scripts wait for this line.
      try FileHandle.standardOutput.write(
        contentsOf: Data("Hearth is listening on http://\(host):\(server.port)/graphql\n".utf8)
      )
    }
  }
}
