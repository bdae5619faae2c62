// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "hearth-client",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [.library(name: "HearthClient", targets: ["HearthClient"])],
  targets: [
    .target(name: "HearthClient", swiftSettings: settings),
    // Generated from `../documents`: README.md says how.
    .target(name: "FamilyOperations", dependencies: ["HearthClient"], swiftSettings: settings),
    // What an app does, done by a program that says "ok": Hearth's tests run it against their server.
    .executableTarget(
      name: "client-check",
      dependencies: ["HearthClient", "FamilyOperations"],
      // As Xcode's new apps are built.
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]
    ),
  ]
)
