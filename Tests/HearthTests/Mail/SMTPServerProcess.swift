import Foundation
import TestSupport
import Testing

@testable import Hearth

/// `aiosmtpd`, a mail server that others have written, as a process of its own.
///
/// `@unchecked Sendable`: one test has it, and what is not set by `init` goes through the system's calls.
final class SMTPServerProcess: @unchecked Sendable {
  struct Envelope: Sendable {
    let from: String
    let to: [String]
    let isEncrypted: Bool
    let user: String?
  }

  static let isAvailable = (try? run(["python3", "-c", "import aiosmtpd"])) == 0

  let port: Int
  private let folder: TemporaryDirectory
  private let process = Process()
  private let input = Pipe()

  /// If it uses a certificate, that is in a TemporaryDirectory with `certificate.pem` and `key.pem` in it.
  convenience init(certificate: TemporaryDirectory? = nil, _ options: String...) async throws {
    try await self.init(certificate: certificate, options: options)
  }

  init(certificate: TemporaryDirectory? = nil, options: [String]) async throws {
    folder = try TemporaryDirectory()
    var arguments = ["python3", Checkout.root.appendingPathComponent("Tests/Mail/smtp_server.py").path, folder.path]
    if let certificate {
      arguments += ["--certificate", certificate.path + "/certificate.pem", "--key", certificate.path + "/key.pem"]
    }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments + options
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let reading = output.fileHandleForReading
    let line = try await TestThread { String(decoding: reading.availableData, as: UTF8.self) }.value
    port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "\(line)")
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
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
    let status = try await TestThread {
      try run([
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        "-keyout", path + "/key.pem", "-out", path + "/certificate.pem",
      ])
    }.value
    try #require(status == 0)
    return folder
  }

  private static func run(_ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
