import Bytes

/// The data of an execution as the response writer reads it: pointers to the rows of each selection set, the tokens of
/// each call and the leaves of each call. The writer visits hundreds of objects; with these pointers it needs no
/// reference counting and no exclusivity checks.
///
/// The pointers are valid as long as nothing is added to the state. A writer is created when a level has nothing left
/// to resolve, and destroyed before anything else runs. Every row in a token existed when the token was created. Every
/// row of a set has passed through the calls of the set's fields, so the starts and leaves of those calls cover the
/// row. There is one view at a time, because its pointers are in buffers of the execution's memory.
struct ResponseView: ~Copyable {
  struct Rows {
    let cells: UnsafePointer<Cell>
    let width: Int
    /// The position of an object that has been written, indexed by row, so that it is copied the next time. Nil if no
    /// object occurs twice.
    let written: UnsafeMutablePointer<WrittenObject>?
    /// The writer passes an operation by its address: as a value, its members are packed into words for each call and
    /// taken out of them, which took a fortieth of a dashboard's instructions.
    let operations: UnsafePointer<WriteOperation>
    let operationCount: Int

    /// The rows of a set without objects.
    static var none: Rows {
      // Never dereferenced.
      let nowhere = UnsafeRawPointer(bitPattern: MemoryLayout<Cell>.alignment).unsafelyUnwrapped
      return Rows(
        cells: nowhere.assumingMemoryBound(to: Cell.self),
        width: 0,
        written: nil,
        operations: nowhere.assumingMemoryBound(to: WriteOperation.self),
        operationCount: 0
      )
    }
  }

  struct Runs {
    let starts: UnsafePointer<Int32>
    let tokens: UnsafePointer<Int64>
  }

  /// All operations of the plan.
  let operations: UnsafePointer<WriteOperation>
  /// The constants, enum value names and sets by type of the plan.
  let constants: UnsafeRawPointer
  let enumerationNames: UnsafeBufferPointer<ConstantRange>
  let setsByType: UnsafeBufferPointer<Int32>
  /// The text of all cells.
  let arena: UnsafeRawPointer
  private let sets: UnsafePointer<Rows>
  private let runs: UnsafePointer<Runs>
  private let leaves: UnsafePointer<UnsafePointer<Cell>>

  /// Calls `body` with a view that is valid during the call.
  static func with(
    _ plan: OperationPlan,
    in memory: ExecutionMemory,
    _ body: (borrowing ResponseView) -> Bool
  ) -> Bool {
    defer { memory.hideSets() }
    return plan.operations.withUnsafeBufferPointer { operations in
      plan.constants.withUnsafeBytes { constants in
        plan.enumerationNames.withUnsafeBufferPointer { enumerationNames in
          plan.setsByType.withUnsafeBufferPointer { setsByType in
            memory.state.arena.withUnsafeBytes { arena in
              body(
                ResponseView(
                  plan,
                  in: memory,
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
    in memory: ExecutionMemory,
    operations: UnsafeBufferPointer<WriteOperation>,
    constants: UnsafeRawBufferPointer,
    enumerationNames: UnsafeBufferPointer<ConstantRange>,
    setsByType: UnsafeBufferPointer<Int32>,
    arena: UnsafeRawBufferPointer
  ) {
    let state = memory.state
    // An empty buffer has no base address. Its pointer is never dereferenced.
    let nowhere = UnsafeRawPointer(memory.shownSets.base)
    self.operations = operations.baseAddress ?? nowhere.assumingMemoryBound(to: WriteOperation.self)
    self.constants = constants.baseAddress ?? nowhere
    self.arena = arena.baseAddress ?? nowhere
    self.enumerationNames = enumerationNames
    self.setsByType = setsByType
    // Sets without objects are never read: see `ExecutionState.usedSets`.
    memory.shownSets.extend(to: plan.sets.count, with: .none)
    for index in state.usedSets.indices {
      let set = state.usedSets[index]
      let type = plan.sets[set].type.index
      memory.shownSets[set] = Rows(
        cells: state.tables[type].cellBase,
        width: state.tables[type].width,
        written: state.batches[set].makeRoomForWritten(),
        operations: self.operations + plan.sets[set].operations.lowerBound,
        operationCount: plan.sets[set].operations.count
      )
    }
    memory.shownRuns.removeAll()
    for index in plan.loads.indices {
      memory.shownRuns.append(Runs(starts: state.runs[index].startBase, tokens: state.runs[index].tokenBase))
    }
    memory.shownLeaves.removeAll()
    for index in plan.leaves.indices { memory.shownLeaves.append(UnsafePointer(state.leaves[index].base)) }
    sets = UnsafePointer(memory.shownSets.base)
    runs = UnsafePointer(memory.shownRuns.base)
    leaves = UnsafePointer(memory.shownLeaves.base)
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
