/// Works out what a plan costs at most, given how many objects its lists may have.
struct CostAnalysis {
  private let plan: OperationPlan
  private let arguments: (FieldCall) -> Arguments?
  private var known: [Key: OperationCost] = [:]

  /// A set within what its parent says of its size. Sets are shared by many parents, so that without remembering them
  /// the work would grow with the power of the depth.
  private struct Key: Hashable {
    let set: Int
    let size: ListSize?
  }

  private struct ListSize: Hashable {
    let fields: [String]
    let count: Double
  }

  /// `arguments` gives those of a call, as far as they are known.
  static func cost(of plan: OperationPlan, _ arguments: (FieldCall) -> Arguments?) -> OperationCost {
    withoutActuallyEscaping(arguments) { arguments in
      var analysis = CostAnalysis(plan: plan, arguments: arguments)
      var cost = analysis.cost(of: 0, sized: nil)
      cost.objects += plan.weights.types[plan.sets[0].type.index]
      return cost
    }
  }

  private init(plan: OperationPlan, arguments: @escaping (FieldCall) -> Arguments?) {
    self.plan = plan
    self.arguments = arguments
  }

  /// What the fields of one object cost.
  private mutating func cost(of set: Int, sized: ListSize?) -> OperationCost {
    let key = Key(set: set, size: sized)
    if let cost = known[key] { return cost }
    var cost = OperationCost(fields: 0, objects: 0)
    for operation in plan.sets[set].operations {
      let operation = plan.operations[operation]
      guard let call = plan.fields[Int(operation.field)].call else { continue }
      let weights = call.weights
      let arguments = weights.dependOnArguments ? self.arguments(call) : nil
      let own = weights.size(arguments)
      let count = (sized.flatMap { $0.fields.contains(call.name) ? $0.count : nil }) ?? (weights.isList ? own : 1)
      let within =
        weights.sizedFields.isEmpty ? nil : ListSize(fields: weights.sizedFields, count: own)
      let item = item(of: operation, call, sized: within)
      cost.fields += weights.field + weight(of: arguments, by: weights) + count * item.fields
      cost.objects += count * item.objects
    }
    cost = OperationCost(fields: Self.bounded(cost.fields), objects: Self.bounded(cost.objects))
    known[key] = cost
    return cost
  }

  /// Weights may be below zero, what a set costs may not. Nor may it be infinite: no times as much would be no number,
  /// and no number is past no limit.
  private static func bounded(_ cost: Double) -> Double { min(max(cost, 0), 1e100) }

  private func weight(of given: Arguments?, by weights: FieldWeights) -> Double {
    guard let given else { return 0 }
    return weights.arguments.reduce(0) { sum, argument in
      guard let value = given[argument.name] else { return sum }
      return sum + argument.own + plan.weights.weight(in: value, of: argument.type, plan.schema)
    }
  }

  /// What one of the things costs that a field gives: of several types the dearest.
  private mutating func item(of operation: WriteOperation, _ call: FieldCall, sized: ListSize?) -> OperationCost {
    switch operation.kind {
    case .objects:
      var cost = cost(of: Int(operation.extra.start), sized: sized)
      cost.objects += plan.weights.types[call.type.type.index]
      return cost
    case .abstractObjects:
      var most = OperationCost(fields: 0, objects: 0)
      for type in plan.schema.types.indices {
        let set = Int(plan.setsByType[Int(operation.extra.start) + type])
        guard set >= 0 else { continue }
        let cost = cost(of: set, sized: sized)
        most.fields = max(most.fields, cost.fields)
        most.objects = max(most.objects, cost.objects + plan.weights.types[type])
      }
      return most
    default: return OperationCost(fields: 0, objects: plan.weights.types[call.type.type.index])
    }
  }
}
