/// The rules for `@defer` and `@stream` (specification draft, sections 5.7.4 to 5.7.7), with the messages of
/// graphql-js.
///
/// They concern documents that use the directives only, and run after the walk.
enum IncrementalDirectives {
  static func check(in validation: inout Validation) {
    var labels: [InputValue: NodeIndex] = [:]
    let subscribed = definitionsOfSubscriptions(validation)
    for use in validation.incrementalUses {
      checkRoot(use, in: &validation)
      checkList(use, in: &validation)
      checkLabel(use, labels: &labels, in: &validation)
      if !subscribed.isEmpty { checkOperation(use, subscribed: subscribed, in: &validation) }
    }
  }

  /// The directives are not used at the root of mutations and subscriptions, whose fields are executed serially or for
  /// each event.
  private static func checkRoot(_ use: IncrementalUse, in validation: inout Validation) {
    let parent = Int(validation.selected[use.selection].parent)
    guard parent >= 0 else { return }
    for (root, kind) in [
      (validation.schema.mutationType, "mutation"), (validation.schema.subscriptionType, "subscription"),
    ]
    where root?.index == parent {
      let type = validation.typeName(parent)
      validation.report(.deferStreamDirectiveOnRootField, at: use.directive) {
        "\(use.title) directive cannot be used on root \(kind) type \"\(type)\"."
      }
    }
  }

  /// `@stream` is used on lists.
  private static func checkList(_ use: IncrementalUse, in validation: inout Validation) {
    let selected = validation.selected[use.selection]
    guard use.isStream, selected.parent >= 0, selected.definition >= 0,
      !validation.index.fields[Int(selected.definition)].type.isList
    else { return }
    let (field, type) = (validation.name(use.selection), validation.typeName(Int(selected.parent)))
    validation.report(.streamDirectiveOnListField, at: use.directive) {
      "Directive \"@stream\" cannot be used on non-list field \"\(field)\" on type \"\(type)\"."
    }
  }

  /// Labels are strings in the document, each used once, so that they identify a part of the response.
  private static func checkLabel(
    _ use: IncrementalUse,
    labels: inout [InputValue: NodeIndex],
    in validation: inout Validation
  ) {
    let document = validation.document
    guard let argument = document.children(of: use.directive, .argument).first(where: { document.name($0) == "label" }),
      let value = document.value(of: argument)
    else { return }
    guard document[value].kind == .stringValue else {
      return validation.report(.deferStreamDirectiveLabel, at: use.directive) {
        "Argument \"@\(use.isStream ? "stream" : "defer")(label:)\" must be a static string."
      }
    }
    // Compared by bytes.
    let label = InputValue.string(document.stringValue(of: value))
    guard let first = labels[label] else { return labels[label] = use.directive }
    validation.violations.append(
      .deferStreamDirectiveLabel,
      order: .entering(use.directive),
      at: [validation.nodes[first].start, validation.nodes[use.directive].start]
    ) {
      "Value for arguments \"defer(label:)\" and \"stream(label:)\" must be unique across all Defer/Stream directive usages."
    }
  }

  // MARK: Subscriptions

  /// The directives are not used in subscriptions, unless their argument `if` can be false.
  private static func checkOperation(
    _ use: IncrementalUse,
    subscribed: [Range<NodeIndex>],
    in validation: inout Validation
  ) {
    guard subscribed.contains(where: { $0.contains(use.directive) }), !canBeDisabled(use, document: validation.document)
    else {
      return
    }
    validation.report(.deferStreamDirectiveOnValidOperations, at: use.directive) {
      "\(use.title) directive not supported on subscription operations. Disable "
        + "`@\(use.isStream ? "stream" : "defer")` by setting the `if` argument to `false`."
    }
  }

  private static func canBeDisabled(_ use: IncrementalUse, document: Document) -> Bool {
    guard let argument = document.children(of: use.directive, .argument).first(where: { document.name($0) == "if" }),
      let value = document.value(of: argument)
    else { return false }
    return document[value].kind == .variable
      || document[value].kind == .booleanValue && !document[value].flags.contains(.isTrue)
  }

  /// The nodes of the subscriptions and of the fragments that they spread.
  private static func definitionsOfSubscriptions(_ validation: borrowing Validation) -> [Range<NodeIndex>] {
    var reached: Set<Int> = []
    var pending = validation.definitions.indices.filter { index in
      let node = validation.definitions[index].node
      return validation.definitions[index].isOperation
        && OperationType(validation.nodes[node].flags) == .subscription
    }
    while let index = pending.popLast() {
      guard reached.insert(index).inserted else { continue }
      for spread in validation.definitions[index].spreads {
        let fragment = validation.spreads[spread].fragment
        if fragment >= 0 { pending.append(validation.fragments[fragment].definition) }
      }
    }
    return reached.map { index in
      let node = validation.definitions[index].node
      return node..<Int(validation.nodes[node].subtreeEnd)
    }
  }
}

/// A use of `@defer` or `@stream`.
struct IncrementalUse {
  let directive: NodeIndex
  /// The field or fragment that has the directive.
  let selection: NodeIndex
  let isStream: Bool

  var title: String { isStream ? "Stream" : "Defer" }
}
