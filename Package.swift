// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is built alike: Swift 6, no warnings, async functions run where their caller runs.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A target and, beneath it, the floors it may know. Listed bottom up: an arrow only ever points to a line above.
func floor(_ name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, of dependencies: [Target.Dependency], excluding files: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: files, swiftSettings: settings)
}

let package = Package(
  name: "hearth",
  targets: [
    .systemLibrary(name: "CLibUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    floor("Bytes"),
    floor("JSON", on: ["Bytes"]),
    floor("EventLoop", on: ["CLibUV"]),
    floor("HTTP", on: ["Bytes"]),
    floor("Storage", on: ["CSQLite"]),
    floor("GraphQL", on: ["Bytes", "JSON"]),

    tests("BytesTests", of: ["Bytes"]),
    tests("JSONTests", of: ["JSON", "Bytes"]),
    tests("EventLoopTests", of: ["EventLoop"]),
    tests("HTTPTests", of: ["HTTP", "Bytes"]),
    tests("StorageTests", of: ["Storage"]),
    tests("GraphQLTests", of: ["GraphQL", "Bytes", "JSON"], excluding: ["Documents"]),
  ]
)
