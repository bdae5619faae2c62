import Bytes

/// The data of an execution as the response writer reads it: pointers to the rows of each selection set, the tokens of
/// each call and the leaves of each call. The writer visits hundreds of objects; with these pointers it needs no
/// reference counting and no exclusivity checks.
///
/// The pointers are valid as long as nothing is added to the state. A writer is created when a level has nothing left
/// to resolve, and destroyed before anything else runs. Every row in a token existed when the token was created. Every
/// row of a set has passed through the calls of the set's fields, so the starts and leaves of those calls cover the
/// row.
struct ResponseView: ~Copyable {
  struct Rows {
    let cells: UnsafePointer<Cell>
    let width: Int
    /// The position of an object that has been written, indexed by row, so that it is copied the next time. Nil if no
    /// object occurs twice.
    let written: UnsafeMutablePointer<WrittenObject>?
    let operations: UnsafeBufferPointer<WriteOperation>
  }

  struct Runs {
    let starts: UnsafePointer<Int32>
    let tokens: UnsafePointer<Int64>
  }

  /// The constants, enum value names and sets by type of the plan.
  let constants: UnsafeRawPointer
  let enumerationNames: UnsafeBufferPointer<ConstantRange>
  let setsByType: UnsafeBufferPointer<Int32>
  /// The text of all cells.
  let arena: UnsafeRawPointer
  private let sets: UnsafeMutablePointer<Rows>
  private let runs: UnsafeMutablePointer<Runs>
  private let leaves: UnsafeMutablePointer<UnsafePointer<Cell>>

  /// Calls `body` with a view that is valid during the call.
  static func with(_ plan: OperationPlan, state: ExecutionState, _ body: (borrowing ResponseView) -> Bool) -> Bool {
    plan.operations.withUnsafeBufferPointer { operations in
      plan.constants.withUnsafeBytes { constants in
        plan.enumerationNames.withUnsafeBufferPointer { enumerationNames in
          plan.setsByType.withUnsafeBufferPointer { setsByType in
            state.arena.withUnsafeBytes { arena in
              body(
                ResponseView(
                  plan,
                  state: state,
                  operations: operations,
                  constants: constants,
                  enumerationNames: enumerationNames,
                  setsByType: setsByType,
                  arena: arena
                )
              )
            }
          }
        }
      }
    }
  }

  private init(
    _ plan: OperationPlan,
    state: ExecutionState,
    operations: UnsafeBufferPointer<WriteOperation>,
    constants: UnsafeRawBufferPointer,
    enumerationNames: UnsafeBufferPointer<ConstantRange>,
    setsByType: UnsafeBufferPointer<Int32>,
    arena: UnsafeRawBufferPointer
  ) {
    sets = .allocate(capacity: plan.sets.count)
    // An empty buffer has no base address. Its pointer is never dereferenced.
    self.constants = constants.baseAddress ?? UnsafeRawPointer(sets)
    self.arena = arena.baseAddress ?? UnsafeRawPointer(sets)
    self.enumerationNames = enumerationNames
    self.setsByType = setsByType
    for index in plan.sets.indices {
      let type = plan.sets[index].type.index
      (sets + index).initialize(
        to: Rows(
          cells: state.tables[type].cellBase,
          width: state.tables[type].width,
          written: state.batches[index].makeRoomForWritten(),
          operations: UnsafeBufferPointer(rebasing: operations[plan.sets[index].operations])
        )
      )
    }
    runs = .allocate(capacity: plan.loads.count)
    for index in plan.loads.indices {
      (runs + index).initialize(
        to: Runs(starts: state.runs[index].startBase, tokens: state.runs[index].tokenBase)
      )
    }
    leaves = .allocate(capacity: plan.leaves.count)
    for index in plan.leaves.indices { (leaves + index).initialize(to: state.leaves[index].base) }
  }

  // The elements are trivial, so there is nothing to deinitialize.
  deinit {
    sets.deallocate()
    runs.deallocate()
    leaves.deallocate()
  }

  @inline(__always) func rows(of set: Int) -> Rows { sets[set] }
  @inline(__always) func runs(of load: Int) -> Runs { runs[load] }
  @inline(__always) func leaf(_ slot: Int, row: Int) -> Cell { leaves[slot][row] }
}

extension TypeReference {
  // The same tests as for a `TypeReference`, on the wrappers alone, which a plan's operations store.
  @inline(__always) static func isNonNull(_ wrappers: UInt32) -> Bool { wrappers & 0b11 == 0b10 }
  @inline(__always) static func isList(_ wrappers: UInt32) -> Bool {
    (isNonNull(wrappers) ? wrappers >> 2 : wrappers) & 0b11 == 0b01
  }
  @inline(__always) static func item(_ wrappers: UInt32) -> UInt32 {
    (isNonNull(wrappers) ? wrappers >> 2 : wrappers) >> 2
  }
}
