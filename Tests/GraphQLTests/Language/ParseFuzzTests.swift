import Testing

@testable import GraphQL

/// Random documents. Parsing each must end in bounded time, with an error or with a document that satisfies all
/// invariants.
@Suite("Fuzzed parsing")
struct ParseFuzzTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `accepts generated documents and terminates on mutated ones`(seed: UInt64) throws {
    var generator = DocumentGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<400 {
      let text = generator.document(descriptions: true)
      let mutated = generator.mutate(Array(text.utf8))
      let error = failure { () throws(GraphQLError) in
        let document = try Parser.parse(Source(mutated))
        accepted += 1
        #expect(brokenInvariant(document) == nil, "\(text)")
      }
      if let error {
        #expect(error.message.hasPrefix("Syntax Error: ") && error.locations.count == 1)
      }
    }
    #expect(accepted > 20)
  }

  @Test(arguments: [5, 6] as [UInt64])
  func `printed documents parse to equal documents and print the same`(seed: UInt64) throws {
    var generator = DocumentGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<400 {
      let text = generator.document(descriptions: true)
      guard let document = try? Parser.parse(Source(text)) else { continue }
      accepted += 1
      let printed = Printer.print(document)
      let again = try Parser.parse(Source(printed))
      #expect(shape(again) == shape(document), "\(text)")
      #expect(Printer.print(again) == printed, "\(text)")
    }
    #expect(accepted > 200)
  }

  @Test func `terminates on random bytes`() {
    var generator = DocumentGenerator(seed: 7)
    for length in 0..<500 {
      let bytes = (0..<length).map { _ in UInt8(generator.below(256)) }
      _ = failure { () throws(GraphQLError) in try Parser.parse(Source(bytes)) }
    }
  }
}

/// The contents of a document without its layout: kinds, flags, names and values.
func shape(_ document: Document) -> [String] {
  document.nodes.indices.map { index in
    let node = document[index]
    let flags = node.flags.subtracting(.needsDecoding).rawValue
    let value =
      switch node.kind {
      case .stringValue: document.stringValue(of: index)
      case .intValue, .floatValue: document.text(index)
      default: ""
      }
    return "\(node.kind) \(flags) \(document.name(index)) \(value)"
  }
}
