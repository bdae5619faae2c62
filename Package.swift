// swift-tools-version: 6.2
import PackageDescription

/// The settings of all targets: Swift 6, warnings as errors, and async functions that run on their caller's executor.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A target of the layered sources. Targets are listed bottom up: each depends only on those listed before it.
func layer(_ name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, of dependencies: [Target.Dependency], excluding files: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: files, swiftSettings: settings)
}

/// The fuzz targets: a test target that replays their corpora or, for `Scripts/fuzz`, an executable whose `main` is
/// libFuzzer's. Such an executable does not link without `-sanitize=fuzzer`, so other builds must not have it.
let isFuzzing = Context.environment["HEARTH_FUZZ"] != nil
let fuzzed: [Target.Dependency] = [
  "Hearth", "GraphQLTransport", "GraphQL", "Pictures", "WebSocket", "HTTP", "JSON", "Bytes",
]
let fuzzing: Target =
  isFuzzing
  ? .executableTarget(
    name: "fuzz",
    dependencies: fuzzed,
    path: "Tests/Fuzzing",
    exclude: ["Tests", "Corpus", "Dictionaries"],
    swiftSettings: settings
  )
  : .testTarget(
    name: "FuzzTargetTests",
    dependencies: fuzzed,
    path: "Tests/Fuzzing",
    exclude: ["Driver", "Corpus", "Dictionaries"],
    swiftSettings: settings
  )

let package = Package(
  name: "hearth",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    // Schemas of resolvers that are Swift closures, and their execution.
    .library(name: "GraphQLEngine", targets: ["GraphQLEngine"]),
    // The engine over HTTP, WebSockets and event streams, with a playground.
    .library(name: "GraphQLServer", targets: ["GraphQLServer"]),
    // A client for apps, which needs only Foundation. It is the only product that also supports Apple's platforms.
    .library(name: "HearthClient", targets: ["HearthClient"]),
    .executable(name: "hearth", targets: ["HearthCommand"]),
    .executable(name: "websocket-echo", targets: ["websocket-echo"]),
  ],
  // Exact versions instead of Package.resolved: that file records git revisions, and the mirrors that this project is
  // built from serve the same tags under revisions of their own, so SwiftPM would reject the recorded ones. To upgrade,
  // change a number here. swift-asn1 and swift-certificates come with jwt-kit and follow its ranges.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-service-context", exact: "1.5.1"),
    .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
  ],
  targets: [
    .systemLibrary(name: "CLibUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    // Only the header of libpq-dev is used: libpq is loaded when a PostgreSQL database is opened.
    .target(name: "CPostgreSQL"),
    // Optimized in debug builds, too: SQLite takes an eighth of the tests' processor time if it is not.
    .target(
      name: "CSQLite",
      exclude: ["amalgamation"],
      cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]
    ),
    .target(name: "CFileStatus"),
    .target(name: "CGatheredLog", dependencies: ["CSQLite"]),
    .target(name: "CAllocator"),
    // libvips is loaded by the processes that scale pictures.
    .target(name: "CPictureScaling"),
    .target(name: "CPlayground", exclude: ["codemirror", "files"]),
    .target(name: "CAssets", dependencies: ["CPlayground"], exclude: ["files", "mail", "passwords"]),
    .target(name: "CPhoneNumber", linkerSettings: [.linkedLibrary("phonenumber"), .linkedLibrary("protobuf")]),
    layer("Basics"),
    layer("Bytes"),
    layer("JSON", on: ["Bytes"]),
    layer("Playground", on: ["CPlayground", "Basics"]),
    layer("Assets", on: ["CAssets", "CPlayground", "Playground"]),
    layer("EventLoop", on: ["CLibUV", "Basics", "Bytes"]),
    layer("HTTP", on: ["Bytes"]),
    layer("Pictures"),
    layer("WebSocket", on: ["HTTP", "Bytes", .product(name: "Crypto", package: "swift-crypto")]),
    layer("HTTPServer", on: ["EventLoop", "HTTP", "WebSocket", "Bytes", "Basics"]),
    layer("PostgreSQL", on: ["CPostgreSQL", "Basics"]),
    layer("Storage", on: ["CSQLite", "CFileStatus", "CGatheredLog", "PostgreSQL", "Basics"]),
    layer("GraphQL", on: ["Bytes", "JSON", "Basics"]),
    .target(name: "CClientSources", exclude: ["files"]),
    layer("ClientGeneration", on: ["GraphQL", "CClientSources"]),
    .target(
      name: "HearthClient",
      swiftSettings: [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
      ]
    ),
    layer(
      "GraphQLTransport",
      on: [
        "CDeflate", "Playground", "Basics", "EventLoop", "HTTP", "HTTPServer", "WebSocket", "GraphQL", "JSON", "Bytes",
        .product(name: "Crypto", package: "swift-crypto"),
      ]
    ),
    layer("GraphQLEngine", on: ["GraphQL", "JSON", "Bytes", "Basics"]),
    layer(
      "GraphQLServer",
      on: [
        "GraphQLEngine", "GraphQLTransport", "GraphQL", "Playground", "HTTPServer", "HTTP", "EventLoop", "Basics",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "ServiceContextModule", package: "swift-service-context"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
    layer(
      "Hearth",
      on: [
        "GraphQLTransport", "HTTPServer", "HTTP", "EventLoop", "Storage", "GraphQL", "Pictures", "Assets", "JSON",
        "Bytes", "Basics", "CQRCode", "CCurl", "CDeflate", "CFileStatus", "CAllocator", "CPhoneNumber",
        "CPictureScaling",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .executableTarget(
      name: "HearthCommand",
      dependencies: [
        "Hearth", "ClientGeneration", "EventLoop", "Basics",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "websocket-echo",
      dependencies: [
        "HTTPServer", "HTTP", "WebSocket", "EventLoop",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/WebSocketEcho",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "engine-benchmark",
      dependencies: ["Hearth", "GraphQL", "TestSupport"],
      path: "Benchmarks/engine",
      exclude: ["peers", "run", "introspection.graphql"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "storage-benchmark",
      dependencies: ["Storage"],
      path: "Benchmarks/storage",
      swiftSettings: settings
    ),

    .target(name: "CSpawnActions", path: "Tests/CSpawnActions"),
    .target(
      name: "TestSupport",
      dependencies: ["Basics", "CSpawnActions"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    fuzzing,
    tests("BytesTests", of: ["Bytes"]),
    tests("JSONTests", of: ["JSON", "Bytes", "Basics"]),
    tests("AssetsTests", of: ["Assets", "Playground"]),
    tests("EventLoopTests", of: ["EventLoop", "Bytes", "TestSupport"]),
    tests("HTTPTests", of: ["HTTP", "Bytes", "Basics"]),
    tests("PicturesTests", of: ["Pictures", "Basics", "TestSupport"]),
    tests("WebSocketTests", of: ["WebSocket", "HTTP", "Bytes"]),
    tests(
      "HTTPServerTests",
      of: ["HTTPServer", "EventLoop", "HTTP", "WebSocket", "Bytes", "TestSupport", "websocket-echo"]
    ),
    tests("PostgreSQLTests", of: ["PostgreSQL", "EventLoop", "Basics", "TestSupport"]),
    tests("StorageTests", of: ["Storage", "Basics", "TestSupport", "StorageFaults", "storage-crash"]),
    // A layer under SQLite that fails as disks do.
    .target(name: "StorageFaults", dependencies: ["CSQLite"], path: "Tests/StorageFaults"),
    .executableTarget(
      name: "storage-crash",
      dependencies: ["Storage"],
      path: "Tests/StorageCrash",
      swiftSettings: settings
    ),
    tests(
      "GraphQLTransportTests",
      of: [
        "GraphQLTransport", "GraphQL", "HTTPServer", "HTTP", "WebSocket", "EventLoop", "JSON", "Bytes", "TestSupport",
      ]
    ),
    // Without package access: what these tests use is public.
    tests(
      "GraphQLServerTests",
      of: [
        "GraphQLEngine", "GraphQLServer", "TestSupport",
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "ServiceContextModule", package: "swift-service-context"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
    tests("ClientGenerationTests", of: ["ClientGeneration"]),
    tests("GraphQLTests", of: ["GraphQL", "Bytes", "Basics", "JSON", "TestSupport"], excluding: ["Documents"]),
    tests(
      "HearthTests",
      of: [
        "Hearth", "HearthCommand", "GraphQLTransport", "HTTPServer", "GraphQL", "Storage", "PostgreSQL", "EventLoop",
        "Assets", "Basics", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      excluding: ["Snapshots"]
    ),
  ]
)
