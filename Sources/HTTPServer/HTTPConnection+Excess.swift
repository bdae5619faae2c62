import HTTP

extension HTTPConnection {
  /// Ends the connection because it exceeds a limit on buffered bytes.
  func end(past excess: ByteBudget.Excess) {
    switch excess {
    case .total:
      end(with: .serviceUnavailable, "TOO_MANY_BYTES: The server is receiving too many bytes. Try again later.\n")
    case .forms:
      end(
        with: .serviceUnavailable,
        "TOO_MANY_UPLOADS: The server is receiving too many files. Try again later.\n"
      )
    case .network:
      end(with: .tooManyRequests, "TOO_MANY_BYTES: Your network is sending too many bytes. Try again later.\n")
    case .person:
      end(with: .tooManyRequests, "TOO_MANY_BYTES: You are sending too many bytes. Try again later.\n")
    }
  }
}
