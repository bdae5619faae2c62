import HTTP

extension HTTPConnection {
  /// Ends the connection because it exceeds a limit on buffered bytes.
  func end(past excess: ByteBudget.Excess) {
    switch excess {
    case .total, .forms: end(with: .serviceUnavailable, excess.text)
    case .network, .person: end(with: .tooManyRequests, excess.text)
    }
  }
}
