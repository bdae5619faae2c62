package enum Printer { package static func print(_ node: NodeIndex, of document: Document) -> String { document.text(node) } }
