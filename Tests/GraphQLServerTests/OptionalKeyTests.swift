import GraphQLEngine
import Synchronization
import Testing

@Suite("Batches by keys that some objects lack")
struct OptionalKeyTests {
  private struct Book: Sendable { let id: Int, publisherID: Int? }
  private struct Publisher: Sendable { let id: Int }

  private final class Calls: Sendable {
    private let texts = Mutex<[String]>([])
    var list: [String] { texts.withLock { $0 } }
    func append(_ keys: [Int]) { texts.withLock { $0.append("\(keys)") } }
  }

  @Test func `load the keys of the others, or nothing`() async throws {
    var schema = GraphQLSchema<Calls>(
      """
      type Query { books: [Book] orphans: [Book] }
      type Book { publisher: Publisher prices: [Int!]! rating: Int }
      type Publisher { id: Int }
      """
    )
    schema.query("books") { _ in [3, nil, 3, 4].enumerated().map { Book(id: $0, publisherID: $1) } }
    schema.query("orphans") { _ in [Book(id: 1, publisherID: nil)] }
    schema.object("Book", Book.self) { book in
      book.field("publisher", by: \.publisherID) { ids, request in
        request.context.append(ids)
        return Dictionary(uniqueKeysWithValues: ids.map { ($0, Publisher(id: $0)) })
      }
      book.field("prices", by: \.publisherID) { ids, _ in [3: [5]] }
      book.field("rating", by: \.publisherID) { ids, request -> [Int: Result<Int, any Error>] in
        request.context.append(ids)
        return [3: .success(1), 4: .failure(GraphQLError("No.", code: "NO"))]
      }
    }
    schema.object("Publisher", Publisher.self) { $0.field("id", \.id) }
    let executor = try GraphQLExecutor(schema)
    let calls = Calls()
    let response = await executor.execute("{ books { publisher { id } prices } }", context: calls)
    let three = #"{"publisher":{"id":3},"prices":[5]}"#
    #expect(
      response
        == #"{"data":{"books":[\#(three),{"publisher":null,"prices":[]},\#(three),"#
        + #"{"publisher":{"id":4},"prices":[]}]}}"#
    )
    let ratings = await executor.execute("{ books { rating } }", context: calls)
    #expect(ratings.contains(#""data":{"books":[{"rating":1},{"rating":null},{"rating":1},{"rating":null}]}"#))
    #expect(ratings.contains(#""path":["books",3,"rating"]"#) && !ratings.contains(#""path":["books",1,"rating"]"#))
    #expect(calls.list == ["[3, 4]", "[3, 4]"])
    let orphans = await executor.execute("{ orphans { publisher { id } rating } }", context: calls)
    #expect(orphans == #"{"data":{"orphans":[{"publisher":null,"rating":null}]}}"#)
    #expect(calls.list.count == 2)
  }
}
