/// Why a command cannot do its work, as one sentence. Unlike a `ValidationError`, it prints no usage: the command line
/// itself is correct.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
