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
    // The initializer as an app in the Swift 5 mode calls it: trailing closures belong to other parameters there.
    .target(
      name: "Swift5App",
      dependencies: [.product(name: "HearthClient", package: "hearth")],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    // What an app does, done by a program that says "ok": Hearth's tests run it against their server.
    .executableTarget(
      name: "client-check",
      dependencies: [.product(name: "HearthClient", package: "hearth"), "FamilyOperations", "Swift5App"],
      // As Xcode's new apps are built.
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]
    ),
  ]
)
