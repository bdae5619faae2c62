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

  static func write(to path: String) throws {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    let sources = folder.appendingPathComponent("Sources/HearthClient", isDirectory: true)
    try manifest.writeIfChanged(to: folder.appendingPathComponent("Package.swift"))
    for file in ClientSources.swift { try file.text.writeIfChanged(to: sources.appendingPathComponent(file.name)) }
  }
}
