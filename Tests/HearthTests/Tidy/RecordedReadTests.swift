import Testing

/// A response is sent again only to callers who would get the same, so the `RequestContext` records what resolvers read
/// of the caller. Some of its properties do not, because the server itself reads them for every request.
@Suite("Reads of the caller are recorded")
struct RecordedReadTests {
  private static let unrecorded: Set<String> = [
    "unrecordedViewer", "currentReader", "startTime", "uncheckedViewer", "tokenFault",
  ]

  @Test func `only the folder of the context uses what is not recorded`() throws {
    var uses = 0
    for file in try Checkout.swiftFiles(in: "Sources/Hearth") {
      for token in SwiftTokens.tokens(of: file) where Self.unrecorded.contains(token.text) {
        uses += 1
        if !file.path.hasPrefix("Sources/Hearth/Request/") { Issue.record("\(file.path):\(token.line): \(token.text)") }
      }
    }
    #expect(uses > 30)
  }
}
