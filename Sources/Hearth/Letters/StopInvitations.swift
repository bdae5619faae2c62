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
    try await context.write { write in
      try write.transaction.run(StoppedAddress.record, StoppedAddress(hash: hash, stoppedAt: write.now))
    }
    return .done
  }
}
