import JSON
import Testing

@Suite("JSONMemory")
struct JSONMemoryTests {
  @Test func `reads into the document that was kept`() throws {
    var memory = JSONMemory()
    let first = try memory.read(Array(#"{"a": [1, 2]}"#.utf8)[...])
    let identity = ObjectIdentifier(first)
    memory.keep(consume first)
    let second = try memory.read(Array(#"{"b": "c"}"#.utf8)[...])
    #expect(ObjectIdentifier(second) == identity)
    #expect(second.root["b"]?.string == "c")
    #expect(second.root.nodeCount == 3)
    #expect(second.root["a"] == nil)
  }

  @Test func `leaves a document alone whose values are in use`() throws {
    var memory = JSONMemory()
    let first = try memory.read(Array(#"{"a": "b"}"#.utf8)[...])
    let value = first.root["a"]
    memory.keep(consume first)
    let second = try memory.read(Array("[null]".utf8)[...])
    #expect(value?.string == "b")
    #expect(second.root.elements?.map(\.isNull) == [true])
  }

  @Test func `reads after an error and after a long text`() throws {
    var memory = JSONMemory()
    memory.keep(try memory.read(Array("[1]".utf8)[...]))
    #expect(throws: JSONError.self) { try memory.read(Array("[1".utf8)[...]) }
    let long = "[" + Array(repeating: "0", count: 1000).joined(separator: ",") + "]"
    for text in ["[1]", long, "[2]"] {
      let document = try memory.read(Array(text.utf8)[...])
      #expect(document.root.elements?.compactMap(\.int64).count == text.split(separator: ",").count)
      memory.keep(document)
    }
  }
}
