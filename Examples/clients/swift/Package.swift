// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "hearth-client-check",
  platforms: [.macOS(.v14), .iOS(.v17)],
  // In an app: .package(url: "https://github.com/…/hearth", branch: "main")
  dependencies: [.package(name: "hearth", path: "../../..")],
  targets: [
    // Generated from `../documents`: README.md says how.
    .target(
      name: "FamilyOperations",
      dependencies: [.product(name: "HearthClient", package: "hearth")],
      swiftSettings: settings
    ),
    // What an app does, done by a program that says "ok": Hearth's tests run it against their server.
    .executableTarget(
      name: "client-check",
      dependencies: [.product(name: "HearthClient", package: "hearth"), "FamilyOperations"],
      // As Xcode's new apps are built.
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]
    ),
  ]
)
