import EventLoop
import GraphQL
import GraphQLTransport
import Storage

extension RequestContext {
  /// `write` for a write that sets a picture. Its file is stored before `body` runs, and removed if the write fails.
  func write<Value: Sendable>(
    with picture: PictureChange,
    _ body: @escaping @Sendable (DatedWrite) throws -> Value
  ) async throws -> Value {
    guard case .chosen(let picture) = picture else { return try await write(body) }
    willSuspend()
    do {
      let pictures = services.pictures
      return try await pictures.holding(picture, for: viewer?.family, of: services.database) {
        try await write { write in
          let value = try body(write)
          try pictures.insertContent(of: picture, in: write.transaction)
          return value
        }
      }
    } catch is WorkerPool.Overloaded {
      throw FieldError("Too many pictures are being stored: try again in a few seconds.", code: .overloaded)
    }
  }

  /// `write` for a change of the data of the viewer's family.
  func write<Value: Sendable>(
    as viewer: Viewer,
    with picture: PictureChange = .unchanged,
    _ body: @escaping @Sendable (FamilyWrite) throws -> Value
  ) async throws -> Value {
    try await write(with: picture) { write in try body(write.inFamily(viewer.family)) }
  }
}
