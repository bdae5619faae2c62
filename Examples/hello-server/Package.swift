// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "hello-server",
  // In your own package: .package(url: "https://github.com/…/hearth", branch: "main")
  dependencies: [.package(name: "hearth", path: "../..")],
  targets: [
    .executableTarget(name: "hello-server", dependencies: [.product(name: "GraphQLServer", package: "hearth")])
  ]
)
