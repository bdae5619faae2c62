// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "family-app",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [.library(name: "FamilyApp", targets: ["FamilyApp"])],
  // In an app of yours: .package(url: "https://github.com/…/hearth", branch: "main")
  dependencies: [.package(name: "hearth", path: "../../..")],
  targets: [
    // Generated from Documents: `hearth generate swift --documents Documents --output Sources/FamilyAPI`.
    .target(name: "FamilyAPI", dependencies: [.product(name: "HearthClient", package: "hearth")]),
    .target(name: "FamilyApp", dependencies: ["FamilyAPI", .product(name: "HearthClient", package: "hearth")]),
    // The same model in a terminal. Hearth's tests run it on Linux, where there is no SwiftUI.
    .executableTarget(name: "family-terminal", dependencies: ["FamilyApp"]),
  ]
)
