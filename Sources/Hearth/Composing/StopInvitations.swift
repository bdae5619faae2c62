import GraphQL
import Storage

/// `stopInvitations`: the token proves that the caller has read an invitation to the address, whether or not they are
/// signed in.
enum StopInvitations {
  static let mutation = FieldBinding.mutation { arguments, context in
    guard let token = StopToken(arguments["token"]?.string ?? "", key: context.services.keys.identifier) else {
      throw RejectedInput(["token"], code: .notFound, message: "The token is not the one of an invitation mail.")
    }
    let hash = token.hash
    // Nothing limits how often a link is used, and each write with an idempotency key leaves rows.
    if context.idempotentRun?.repeatsField != true,
      try await context.read({ try $0.hasRow(StoppedAddress.ofHash, hash) })
    {
      return .done
    }
    try await context.write { write in
      try write.transaction.run(StoppedAddress.record, StoppedAddress(hash: hash, stoppedAt: write.now))
    }
    return .done
  }
}
