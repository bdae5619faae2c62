import ArgumentParser
import ClientGeneration
import Foundation

struct GenerateSwift: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Generates Swift types for operations.",
    discussion: """
      The types conform to the protocols of the package HearthClient, which --with-client writes too. Files in the output folder that were generated \
      before and are no longer are removed; others are left alone.
      """
  )

  @OptionGroup var input: GenerationInput

  @Option(help: "The output folder.", completion: .directory)
  var output: String

  @Option(help: "The Swift type of a scalar, such as DateTime=Date. Can be repeated.")
  var scalar: [String] = []

  @Option(help: "The access level of the types: public or internal.")
  var access = GenerationOptions.Access.public

  @Option(help: "Also writes the package HearthClient, to this folder.", completion: .directory)
  var withClient: String?

  func run() throws { try input.run(generate) }

  private func generate() throws {
    var options = GenerationOptions()
    options.access = access
    options.scalars.merge(try GenerationInput.scalars(scalar)) { $1 }
    options.documentID = input.documentID
    let files = try input.generate { schema, documents throws(GenerationError) in
      try SwiftGenerator.generate(schema: schema, documents: documents, options: options)
    }
    do {
      try write(files)
    } catch {
      throw CommandError("The files cannot be written to \(output).")
    }
    print("\(files.count) files are in \(output).")
    input.reportManifest()
    guard let withClient else { return }
    do {
      try ClientPackage.write(to: withClient)
    } catch {
      throw CommandError("The package cannot be written to \(withClient).")
    }
    print("The package HearthClient is in \(withClient).")
  }

  /// Writes the files after all are generated.
  private func write(_ files: [GeneratedFile]) throws {
    let folder = URL(fileURLWithPath: output, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names = Set(files.map(\.name))
    for name in try FileManager.default.contentsOfDirectory(atPath: output)
    where name.hasSuffix(".swift") && !names.contains(name) {
      let old = folder.appendingPathComponent(name)
      if try String(contentsOf: old, encoding: .utf8).hasPrefix(GeneratedFile.mark) {
        try FileManager.default.removeItem(at: old)
      }
    }
    for file in files { try file.text.writeIfChanged(to: folder.appendingPathComponent(file.name)) }
  }
}

extension GenerationOptions.Access: ExpressibleByArgument {}
