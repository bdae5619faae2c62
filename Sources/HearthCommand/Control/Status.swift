import ArgumentParser
import Foundation
import Hearth

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Reports on the running server.")

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(StatusRequest()) { status in
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
        "Accounts": Self.text(ofAccounts: status.accounts, families: status.families),
        "Waiting": "\(queues.writes) writes, \(queues.slowRequests) slow requests, \(queues.passwords) passwords",
        "Mails": Self.text(of: queues.mails),
        "Last mail error": queues.mails.lastFailure,
        "Notifications": Self.text(of: queues.pushes),
        "Last notification error": queues.pushes.compactMap(\.lastFailure).first,
        "Data": Self.text(of: bytes),
        "Free on the disk": bytes.free.bytesText,
        "Last backup": status.lastBackup?.text ?? Self.notKnown,
        "Processes": status.processes.isEmpty ? nil : status.processes.map(Self.text).joined(separator: "; "),
      ])
    }
  }

  private static let notKnown = "not known"

  private static func text(ofAccounts accounts: Int?, families: Int?) -> String {
    guard let accounts, let families else { return notKnown }
    return "\(accounts) in \(families) families"
  }

  private static func text(of bytes: ServerStatus.Sizes) -> String {
    let (database, pictures) = (bytes.database?.bytesText ?? notKnown, bytes.pictures?.bytesText ?? notKnown)
    return "database \(database), log \(bytes.log.bytesText), pictures \(pictures)"
  }

  static func text(of pushes: [ServerStatus.Pushes]) -> String {
    pushes.map { push in
      guard let waiting = push.waiting, let failed = push.failed else { return "\(push.channel) \(notKnown)" }
      return "\(push.channel) \(waiting) waiting, \(failed) failed"
    }.joined(separator: "; ")
  }

  static func text(of process: ServerStatus.ServingProcess) -> String {
    let work = process.leases.isEmpty ? "no common work" : process.leases.joined(separator: ", ")
    let name = process.isThis ? "this one" : "process \(process.process)"
    return "\(process.version) on \(process.host), \(name): \(work)"
  }

  static func text(of mails: ServerStatus.Mails) -> String {
    guard let waiting = mails.waiting, let retrying = mails.retrying, let failed = mails.failed else { return notKnown }
    return "\(waiting) waiting, \(retrying) to be tried again, \(failed) failed"
  }
}
