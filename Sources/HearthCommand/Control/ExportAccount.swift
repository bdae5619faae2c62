import ArgumentParser
import Foundation
import Glibc
import Hearth

struct ExportAccount: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes everything that the server has about an adult or a child to a ZIP archive.",
    discussion: "It is the archive that people get by exportMyData. Only the user of the command can read it."
  )

  @Argument(help: AccountCommand.memberHelp)
  var account: String

  @Argument(help: ArgumentHelp("The archive, which must not exist yet.", valueName: "file"), completion: .file())
  var file: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    // Before the archive is made, which can take long.
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandError("The file \(file) cannot be created: \(String(cString: strerror(errno))).")
    }
    let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var isComplete = false
    do {
      let folder = try options.directory()
      try options.send(ExportAccountRequest(account: account)) { response in
        try Self.copy("\(folder)/\(response.file)", to: output)
        isComplete = true
      } describe: { response in
        "Everything about \(response.name) (\(response.id)) is in \(file)."
      }
    } catch {
      // Printing the sentence can fail too, as on a full disk. The archive is kept then.
      if !isComplete { unlink(file) }
      throw error
    }
  }

  private static func copy(_ path: String, to output: FileHandle) throws {
    guard let archive = FileHandle(forReadingAtPath: path) else {
      throw CommandError("The archive \(path) cannot be read: run the command as the server's user.")
    }
    while let piece = try archive.read(upToCount: 1 << 20), !piece.isEmpty { try output.write(contentsOf: piece) }
    try output.synchronize()
  }
}
