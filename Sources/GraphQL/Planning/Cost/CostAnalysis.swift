/// Computes the maximum cost of a plan, from the weights of fields and types and the sizes of lists.
struct CostAnalysis {
  private let plan: OperationPlan
  private let arguments: (FieldCall) -> Arguments?
  /// The costs of the selection sets that have been computed. Sets are shared by many parents, so without memoization
  /// the work would grow exponentially with the depth.
  private var costs: [OperationCost?]
  /// The same of those whose parent determines the size of their lists.
  private var sizedCosts: [SizedSet: OperationCost] = [:]

  private struct SizedSet: Hashable {
    let set: Int
    let size: ListSize
  }

  private struct ListSize: Hashable {
    let fields: [String]
    let count: Double
  }

  /// `arguments` returns the arguments of a call, or nil if they are not known.
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
    costs = Array(repeating: nil, count: plan.sets.count)
  }

  /// The cost of the fields of one object.
  private mutating func cost(of set: Int, sized: ListSize?) -> OperationCost {
    if let cost = sized.map({ sizedCosts[SizedSet(set: set, size: $0)] }) ?? costs[set] { return cost }
    var cost = OperationCost(fields: 0, objects: 0)
    for index in plan.sets[set].operations where !plan.operations[index].isFree {
      var operation = plan.operations[index]
      if operation.isIncremental, let incremental = plan.incremental {
        guard operation.kind == .streamedObjects else {
          for group in incremental.deferrals[operation.deferral].groups {
            let deferred = self.cost(of: group.set, sized: sized)
            cost.fields += deferred.fields
            cost.objects += deferred.objects
          }
          continue
        }
        operation = incremental.streams[operation.stream].items
      }
      let planned = plan.fields[Int(operation.field)]
      guard let field = plan.boundField(of: planned) else { continue }
      let weights = field.weights
      let arguments = weights.dependOnArguments ? plan.call(of: planned).flatMap(self.arguments) : nil
      let own = weights.size(arguments)
      let count = (sized.flatMap { $0.fields.contains(field.name) ? $0.count : nil }) ?? (weights.isList ? own : 1)
      let within =
        weights.sizedFields.isEmpty ? nil : ListSize(fields: weights.sizedFields, count: own)
      let item = item(of: operation, field, sized: within)
      cost.fields += weights.field + weight(of: arguments, by: weights) + count * item.fields
      cost.objects += count * item.objects
    }
    cost = OperationCost(fields: Self.bounded(cost.fields), objects: Self.bounded(cost.objects))
    if let sized { sizedCosts[SizedSet(set: set, size: sized)] = cost } else { costs[set] = cost }
    return cost
  }

  /// Limits a cost to a range. Weights may be negative, but the cost of a set must not be. It must not be infinite
  /// either: zero times infinity is not a number, and a comparison of NaN with a limit is false.
  private static func bounded(_ cost: Double) -> Double { min(max(cost, 0), 1e100) }

  private func weight(of given: Arguments?, by weights: FieldWeights) -> Double {
    guard let given else { return 0 }
    return weights.arguments.reduce(0) { sum, argument in
      guard let value = given[argument.name] else { return sum }
      return sum + argument.own + plan.weights.weight(in: value, of: argument.type, plan.schema)
    }
  }

  /// The cost of one item that a field returns. For an abstract type, the cost of the most expensive object type.
  private mutating func item(of operation: WriteOperation, _ field: BoundField, sized: ListSize?) -> OperationCost {
    switch operation.kind {
    case .objects:
      var cost = cost(of: operation.set, sized: sized)
      cost.objects += plan.weights.types[field.type.type.index]
      return cost
    case .abstractObjects:
      var most = OperationCost(fields: 0, objects: 0)
      for type in field.possibleTypes {
        let set = Int(plan.setsByType[operation.setsByTypeStart + type.index])
        // Most of the types that Query.node can return have no fields in a document.
        let isEmpty = plan.sets[set].operations.isEmpty
        let cost = isEmpty ? OperationCost(fields: 0, objects: 0) : cost(of: set, sized: sized)
        most.fields = max(most.fields, cost.fields)
        most.objects = max(most.objects, cost.objects + plan.weights.types[type.index])
      }
      return most
    default: return OperationCost(fields: 0, objects: plan.weights.types[field.type.type.index])
    }
  }
}
