import ClientGeneration
import Foundation

/// The package HearthClient, for apps that have the program but not its repository.
enum ClientPackage {
  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "HearthClient",
      platforms: [.macOS(.v14), .iOS(.v17)],
      products: [.library(name: "HearthClient", targets: ["HearthClient"])],
      targets: [
        .target(
          name: "HearthClient",
          swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        )
      ]
    )

    """

  /// Unchanged files are not touched, so that builds do not recompile them.
  static func write(to path: String) throws {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    let sources = folder.appendingPathComponent("Sources/HearthClient", isDirectory: true)
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let files =
      [(folder.appendingPathComponent("Package.swift"), manifest)]
      + ClientSources.swift.map { (sources.appendingPathComponent($0.name), $0.text) }
    for (url, text) in files where (try? String(contentsOf: url, encoding: .utf8)) != text {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
  }
}
