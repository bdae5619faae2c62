import GraphQL
import Storage

/// `endContract`: ends a contract without a new one. The contract stays in the list.
enum EndContract {
  static let isActive = SQL<ContractKey>(
    "SELECT active, child_id FROM contract WHERE family_id = \(\.family) AND id = \(\.contract)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let family = viewer.family
    let contract = context.cipher.key(of: arguments["id"])
    let key = try await context.write(as: viewer) { write in
      let found = try contract.flatMap { contract in
        try write.reader.first(of: isActive, (family: write.family, contract: contract)) { row in
          (isActive: row.bool(0), child: row.key(1))
        }
      }
      guard let found, let contract else {
        throw RejectedInput(["id"], code: .notFound, message: "No contract of the family has this id.")
      }
      guard found.isActive else {
        throw RejectedInput(["id"], code: .conflict, message: "The contract has ended already.")
      }
      try ContractTransition.end(contract, of: found.child, by: viewer.member, in: write)
      write.record(.contractChanged, subject: contract)
      write.record(.childChanged, subject: found.child)
      return contract
    }
    return Payload(["contract": [key]])
  }
}
