import ArgumentParser
import Foundation
import Hearth

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Reports on the running server.")

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(ServerStatus()) { status in
      let (queues, bytes) = (status.queues, status.bytes)
      return TextTable.text([
        "Version": status.version,
        "Process": "\(status.process)",
        "Running for": "\(status.uptimeSeconds.durationText), since \(status.startedAt.text)",
        "Endpoint": status.endpoint,
        "Data folder": status.dataFolder,
        "Health": status.health + (status.isReadOnly ? ", read-only" : ""),
        "Connections":
          "\(status.connections), with \(status.webSockets) WebSockets and \(status.eventStreams) event streams",
        "Subscriptions": "\(status.subscriptions)",
        "Accounts": "\(status.accounts) in \(status.families) families",
        "Waiting": "\(queues.writes) writes, \(queues.slowRequests) slow requests, \(queues.passwords) passwords",
        "Mails": Self.text(of: queues.mails),
        "Last mail error": queues.mails.lastFailure,
        "Notifications": Self.text(of: queues.pushes),
        "Last notification error": queues.pushes.compactMap(\.lastFailure).first,
        "Data":
          "database \(bytes.database.bytesText), log \(bytes.log.bytesText), pictures \(bytes.pictures.bytesText)",
        "Free on the disk": bytes.free.bytesText,
        "Last backup": status.lastBackup?.text ?? "not known",
        "Processes": status.processes.isEmpty ? nil : status.processes.map(Self.text).joined(separator: "; "),
      ])
    }
  }

  static func text(of pushes: [ServerStatus.Pushes]) -> String {
    pushes.map { "\($0.channel) \($0.waiting) waiting, \($0.failed) failed" }.joined(separator: "; ")
  }

  static func text(of process: ServerStatus.ServingProcess) -> String {
    let work = process.leases.isEmpty ? "no common work" : process.leases.joined(separator: ", ")
    let name = process.isThis ? "this one" : "process \(process.process)"
    return "\(process.version) on \(process.host), \(name): \(work)"
  }

  static func text(of mails: ServerStatus.Mails) -> String {
    "\(mails.waiting) waiting, \(mails.retrying) to be tried again, \(mails.failed) failed"
  }
}
