import Foundation
import Synchronization
import TestSupport
import Testing

/// A mail as its reader sees it. Python's `email`, an independent implementation, parses it.
struct ReceivedMail: Sendable {
  let to: String
  let from: String
  let subject: String
  let plain: String
  let html: String
  /// All headers, in their order, as `name: value` in one line each.
  let headers: [String]
  /// The defects found by the parser.
  let defects: [String]

  /// The secret of the mail, from its link.
  var token: String {
    get throws { try String(#require(plain.firstMatch(of: /token=([A-Za-z0-9_\-]{43})\n/)).1) }
  }

  /// The path and the query of the link by which invitations stop.
  var stopLink: String {
    get throws { try String(#require(plain.firstMatch(of: /\/stop-invitations\?\S+/)).0) }
  }

  /// The token of that link.
  var stopToken: String {
    get throws { try String(#require(stopLink.firstMatch(of: /token=([A-Za-z0-9_\-]{43})$/)).1) }
  }

  private static let program = """
    import email, email.policy, functools, json, sys
    # Tests read the same mails several times.
    @functools.cache
    def read(file):
      mail = email.message_from_binary_file(open(file, 'rb'), policy=email.policy.default)
      parts = {p.get_content_type(): p.get_content().replace('\\r\\n', '\\n') for p in mail.walk() if not p.is_multipart()}
      defects = [str(d) for part in mail.walk() for d in part.defects]
      defects += [str(d) for value in mail.values() for d in getattr(value, 'defects', [])]
      return {'to': str(mail['to']), 'from': str(mail['from']), 'subject': str(mail['subject']),
        'plain': parts['text/plain'], 'html': parts['text/html'],
        'headers': [f'{k}: {v}' for k, v in mail.items()], 'defects': defects}
    for files in sys.stdin:
      mails = json.dumps([read(file) for file in json.loads(files)])
      print(len(mails), mails, sep='\\n', end='', flush=True)
    """

  /// The process that reads the mails of all tests: 600 processes would take a twentieth of the time of all tests.
  private static let reader = Mutex<ChildProcess?>(nil)

  static func read(_ files: [String]) async throws -> [ReceivedMail] {
    guard !files.isEmpty else { return [] }
    let request = try JSONEncoder().encode(files) + Data("\n".utf8)
    let mails = try await TestThread {
      try reader.withLock { reader in
        let process = try reader ?? ChildProcess(["python3", "-c", program], hasInput: true)
        // A mail that it cannot read ends it, and others are read by another process.
        reader = nil
        try process.input?.write(contentsOf: request)
        let length = try #require(process.readLine().flatMap { Int($0) }, "\(files) cannot be read as mails")
        let mails = process.output.readData(ofLength: length)
        reader = process
        return mails
      }
    }.value
    return try Value(Array(mails)).list.map(ReceivedMail.init)
  }

  private init(_ mail: Value) throws {
    to = try #require(mail["to"].string)
    from = try #require(mail["from"].string)
    subject = try #require(mail["subject"].string)
    plain = try #require(mail["plain"].string)
    html = try #require(mail["html"].string)
    headers = mail["headers"].strings
    defects = mail["defects"].strings
  }
}

extension Household {
  /// Shows, by the newest mail that the parent has had, that the address is theirs.
  func verifyEmail(on server: TestServer) async throws {
    let token = try await server.mail(to: email, about: "Confirm").token
    let outcome = try await parent.perform(Documents.verifyEmail, ["token": .string(token)])
    #expect(outcome["account.emailVerified"] == true)
  }
}

extension TestServer {
  var outbox: String { directory.path + "/outbox" }

  /// The mails that were sent so far, in their order, once all that are due have been.
  func mails() async throws -> [ReceivedMail] {
    await deliverMail()
    return try await ReceivedMail.read(try mailFiles())
  }

  func mailFiles() throws -> [String] {
    guard FileManager.default.fileExists(atPath: outbox) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: outbox).filter { $0.hasSuffix(".eml") }.sorted()
      .map { outbox + "/" + $0 }
  }

  /// The last of the mails to an address that has this in its subject.
  func mail(to address: String, about subject: String) async throws -> ReceivedMail {
    try #require(try await mails().last { $0.to.contains(address) && $0.subject.contains(subject) })
  }
}
