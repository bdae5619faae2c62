/// A reader of untrusted input, and the properties that must hold for every input. The raw value names its corpus.
enum FuzzTarget: String, CaseIterable, Sendable {
  case http, websocket, json, graphql, variables, multipart, pictures, tokens

  /// Throws the property that does not hold. An input that the reader rejects is not a failure. Returns whether the
  /// reader accepts the input.
  @discardableResult
  func check(_ input: [UInt8]) throws -> Bool {
    switch self {
    case .http: try HTTPTarget.check(input)
    case .websocket: try WebSocketTarget.check(input)
    case .json: try JSONTarget.check(input)
    case .graphql: try GraphQLTarget.check(input)
    case .variables: try VariablesTarget.check(input)
    case .multipart: try MultipartTarget.check(input)
    case .pictures: try PicturesTarget.check(input)
    case .tokens: try TokensTarget.check(input)
    }
  }

  /// The part of the check that has to wait. Access tokens are verified by an actor. Returns whether the input is one.
  @discardableResult
  func checkAsynchronously(_ input: [UInt8]) async throws -> Bool {
    guard self == .tokens else { return false }
    return try await AccessTokenTarget.check(input)
  }
}

/// A property that an input has shown not to hold.
struct BrokenProperty: Error, CustomStringConvertible {
  let description: String
}

func require(_ condition: Bool, _ property: @autoclosure () -> String) throws {
  if !condition { throw BrokenProperty(description: property()) }
}

/// Sizes of the pieces in which an input arrives. They depend on the input alone, so that a failure can be repeated.
struct PieceSizes {
  private var state: UInt64

  init(of input: [UInt8]) {
    state = input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  mutating func next(atMost most: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % most + 1
  }
}
