import Testing

@testable import Storage

@Suite("The health of a PostgreSQL server")
struct ServerHealthTests {
  private static let full = DatabaseError(.full, message: "full")
  private static let unreachable = DatabaseError(.unreachable, message: "unreachable")

  @Test func `the failure of a write is forgotten only when a write succeeds`() {
    let health = ServerHealth()
    health.note(Self.full, of: .writes)
    health.noteSuccess(of: .others)
    #expect(health.failure == Self.full)
    health.note(Self.unreachable, of: .others)
    #expect(health.failure == Self.full)
    health.noteSuccess(of: .writes)
    #expect(health.failure == nil)
  }

  @Test(arguments: [ServerHealth.Source.writes, .others])
  func `another failure is forgotten when anything succeeds`(source: ServerHealth.Source) {
    let health = ServerHealth()
    health.note(Self.unreachable, of: .others)
    #expect(health.failure == Self.unreachable)
    health.noteSuccess(of: source)
    #expect(health.failure == nil)
  }

  @Test func `an error that is due to the statement is no failure of the server`() {
    let health = ServerHealth()
    for code in [DatabaseError.Code.unique, .overloaded, .closed, .misuse] {
      health.note(DatabaseError(code, message: ""), of: .writes)
    }
    #expect(health.failure == nil)
  }
}
