import Testing

@testable import GraphQLTransport

@Suite("Persisted queries that are kept")
struct PersistedQueriesTests {
  private func key(_ number: Int) -> ArraySlice<UInt8> { ArraySlice("\(number)".utf8) }

  @Test func `are bounded in number, and those that are used stay`() {
    var queries = PersistedQueries()
    for number in 0..<(PersistedQueries.maximumCount * 3) {
      queries.insert([1], for: key(number))
      #expect(queries.document(for: key(0)) == [1])
      #expect(queries.count <= PersistedQueries.maximumCount)
    }
    #expect(queries.document(for: key(1)) == nil)
    #expect(queries.byteCount == queries.count)
  }

  @Test func `are bounded in bytes, and none alone may drive out the others`() {
    var queries = PersistedQueries()
    let large = [UInt8](repeating: 0, count: PersistedQueries.maximumBytes / 16)
    for number in 0..<100 {
      queries.insert(large, for: key(number))
      #expect(queries.byteCount <= PersistedQueries.maximumBytes)
      #expect(queries.document(for: key(number)) == large)
    }
    queries.insert(large + [0], for: key(-1))
    #expect(queries.document(for: key(-1)) == nil)
  }
}
