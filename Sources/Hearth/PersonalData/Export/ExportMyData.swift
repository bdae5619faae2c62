import EventLoop
import GraphQL
import GraphQLTransport
import HTTP
import HTTPServer
import Storage

/// `exportMyData`: an archive with everything that the server has about an adult, or a child of their family.
enum ExportMyData {
  /// Includes the family's own removed children. Those of a family that has joined it have no username (`FamilyMerge`):
  /// their data was another family's.
  static let child = SQL<ChildKey>(
    """
    SELECT 1 FROM child WHERE family_id = \(\.family) AND id = \(\.child) AND erased_at IS NULL AND username <> ''
    """
  )

  private struct Export: Sendable {
    let url: String
    /// In milliseconds.
    let expiresAt: Int64
  }

  static let payload = Payload.binding(more: [
    "url": .property { (payload: Payload) in (payload.values.first as? Export).map { .string($0.url) } ?? .null },
    "expiresAt": .property { (payload: Payload) in
      (payload.values.first as? Export).map { .int($0.expiresAt) } ?? .null
    },
  ])

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let (services, now) = (context.services, context.now)
    var member = viewer.member
    if let id = arguments["childId"]?.string {
      guard let key = services.cipher.key(of: id),
        try await context.read({ reader in try reader.hasRow(child, (family: viewer.family, child: key)) })
      else {
        return Payload(errors: [
          UserError(field: ["childId"], code: .notFound, message: "No child of the family has this id.")
        ])
      }
      member = key
    }
    try await context.take(.export, by: .person(viewer.member))
    context.willSuspend()
    do {
      let address = try await archive(of: member, in: viewer.family, at: now, services)
      try await context.requireSameCaller()
      let url = context.baseURL + address.path(signedWith: services.pictures.signingKey)
      return Payload(values: [Export(url: url, expiresAt: address.expiresAt)])
    } catch is WorkerPool.Overloaded {
      throw FieldError("Too many exports are being made: try again in a minute.", code: .overloaded)
    }
  }

  /// Makes an archive, which is deleted after an hour. Throws `WorkerPool.Overloaded`.
  static func archive(
    of member: GlobalID,
    in family: GlobalID,
    at now: Int64,
    _ services: Services
  ) async throws -> ExportAddress {
    let key: MemberKey = (family: family, member: member)
    let writer = ExportWriter(
      member: key,
      sections: (member.kind == .child ? ExportOfChild.sections : ExportOfPerson.sections) + ExportOfMember.sections,
      cipher: services.cipher,
      pictures: services.pictures
    )
    let minimumFreeBytes = services.configuration.minimumFreeBytes
    let address = try await services.exports.add(of: key, at: now, keepingFree: minimumFreeBytes) { archive, reader in
      try writer.write(to: archive, from: reader, at: now)
    }
    services[ExportFolder.cleaning].schedule(at: address.expiresAt)
    return address
  }

  /// The archive at the path of a request; nil if there is none, or its URL has expired.
  static func response(to request: HTTPRequest, on loop: EventLoop, _ services: Services) -> StreamedResponse? {
    let path = request.path.text
    guard path.hasPrefix(ExportAddress.prefix),
      let address = ExportAddress(path: path[...], signedWith: services.pictures.signingKey),
      address.expiresAt > services.clock.now(),
      let family = services.cipher.key(of: address.family),
      let member = services.cipher.key(of: address.member)
    else { return nil }
    let (database, exports) = (services.database, services.exports)
    let download = FileDownload(of: exports.file(of: address), on: loop, exports.worker) {
      try isKept((family: family, member: member), in: database)
    }
    return download.map { StreamedResponse(headers: headers, writer: $0) }
  }

  /// Whether a member has not been erased. The process that erases them deletes only its own archives.
  private static func isKept(_ key: MemberKey, in database: Database) throws -> Bool {
    let reader = try database.makeReader()
    defer { reader.endRead() }
    if key.member.kind == .child { return try reader.hasRow(child, (family: key.family, child: key.member)) }
    return try reader.hasRow(ErasedPerson.found, key.member)
  }

  private static let headers = HeaderBlock(trusted: [
    "Content-Type": "application/zip",
    "Content-Disposition": "attachment; filename=\"my-data.zip\"",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
  ])
}
