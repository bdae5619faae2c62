import Foundation
import TestSupport
import Testing

@testable import Hearth

/// `aiosmtpd`, a mail server that others have written, as a process of its own.
final class SMTPServerProcess: Sendable {
  struct Envelope: Sendable {
    let from: String
    let to: [String]
    let isEncrypted: Bool
    let user: String?
  }

  static let isAvailable = PythonScript.has("aiosmtpd")

  let port: Int
  private let folder: TemporaryDirectory
  private let server: PythonServer

  /// If it uses a certificate, that is in a TemporaryDirectory with `certificate.pem` and `key.pem` in it.
  convenience init(certificate: TemporaryDirectory? = nil, _ options: String...) async throws {
    try await self.init(certificate: certificate, options: options)
  }

  init(certificate: TemporaryDirectory? = nil, options: [String]) async throws {
    folder = try TemporaryDirectory()
    var arguments = [folder.path]
    if let certificate {
      arguments += ["--certificate", certificate.path + "/certificate.pem", "--key", certificate.path + "/key.pem"]
    }
    let server = try await PythonServer("Mail/smtp_server.py", arguments: arguments + options)
    self.server = server
    port = try #require(Int(server.announced), "\(server.announced)")
  }

  private func files(_ kind: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(kind) }.sorted()
      .map { folder.path + "/" + $0 }
  }

  func mails() async throws -> [ReceivedMail] { try await ReceivedMail.read(try files(".eml")) }

  func envelopes() throws -> [Envelope] {
    try files(".json").map { file in
      let envelope = try Value(Array(Data(contentsOf: URL(fileURLWithPath: file))))
      return Envelope(
        from: envelope["from"].string ?? "",
        to: envelope["to"].strings,
        isEncrypted: envelope["tls"] == true,
        user: envelope["user"].string
      )
    }
  }

  /// A self-signed certificate for 127.0.0.1.
  static func certificate() async throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let path = folder.path
    let result = try await Command.run([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
      "-keyout", path + "/key.pem", "-out", path + "/certificate.pem",
    ])
    try #require(result.status == 0, "\(result.output)")
    return folder
  }
}
