import Foundation
import TestSupport
import Testing

@Suite("Scripts/check-hardening")
struct ReleaseTests {
  @Test func `accepts a hardened program, and reports what another lacks`() async throws {
    let directory = try TemporaryDirectory()
    let source = directory.path + "/main.c"
    try Data("int main(void) { return 0; }\n".utf8).write(to: URL(fileURLWithPath: source))
    let program = directory.path + "/program"
    let hardened = ["-pie", "-Wl,-z,relro,-z,now"]
    for (options, lacking) in [
      (hardened, nil), (["-pie", "-Wl,-z,relro,-z,lazy"], "binding at the start (BIND_NOW)"),
      (["-no-pie", "-Wl,-z,relro,-z,now"], "position independence (PIE)"),
      (["-pie", "-Wl,-z,norelro,-z,now"], "read-only relocations (RELRO)"),
      (hardened + ["-Wl,-z,execstack"], "a stack that cannot be executed"),
    ] as [([String], String?)] {
      let built = try await Command.run(["clang", "-fPIC"] + options + [source, "-o", program])
      try #require(built.status == 0, "\(built.output)")
      let check = try await Command.run([
        Checkout.root.appendingPathComponent("Scripts/check-hardening").path, program,
      ])
      #expect(check.status == (lacking == nil ? 0 : 1), "\(options): \(check.output)")
      if let lacking { #expect(check.output == "\(program) lacks \(lacking).\n") }
    }
  }
}
