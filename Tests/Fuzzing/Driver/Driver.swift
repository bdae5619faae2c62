import Dispatch
import Foundation

/// The target that `HEARTH_FUZZ_TARGET` names. `Scripts/fuzz` sets it.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["HEARTH_FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    fatalError("HEARTH_FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
  }
  return target
}()

/// Called by libFuzzer, whose runtime has `main`. A property that does not hold ends the process, as a trap does, and
/// libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // A copy of the exact size, so that AddressSanitizer sees reads behind its end.
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  do {
    try target.check(input)
    if target == .tokens { try waitForCheck(of: input) }
  } catch {
    fatalError("\(target.rawValue): \(error)")
  }
  return 0
}

private func waitForCheck(of input: [UInt8]) throws {
  let outcome = CheckOutcome()
  Task {
    do {
      try await target.checkAsynchronously(input)
    } catch {
      outcome.failure = error
    }
    outcome.done.signal()
  }
  outcome.done.wait()
  if let failure = outcome.failure { throw failure }
}

// The semaphore orders the one write before the one read.
private final class CheckOutcome: @unchecked Sendable {
  var failure: (any Error)?
  let done = DispatchSemaphore(value: 0)
}
