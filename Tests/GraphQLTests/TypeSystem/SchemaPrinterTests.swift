import Foundation
import Testing

@testable import GraphQL

@Suite("Printing schemas")
struct SchemaPrinterTests {
  /// Complete schemas, by the paths of their files.
  static let files = ["schema.graphql", "Tests/GraphQLTests/Documents/type-system.graphql"]

  static func sdl(_ file: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    return try String(contentsOf: root.appending(path: file).standardizedFileURL, encoding: .utf8)
  }

  /// The contents of a schema that introspection does not contain: the directives on each element, in order.
  static func applied(_ schema: Schema) -> [String] {
    func line(_ coordinate: String, _ directives: [AppliedDirective]) -> String {
      "\(coordinate) \(directives.map { "@\($0.name)\($0.arguments)" })"
    }
    var lines = [line("schema", schema.appliedDirectives)]
    for directive in schema.directives {
      lines += directive.arguments.map { line("@\(directive.name)(\($0.name):)", $0.directives) }
    }
    for type in schema.types {
      lines.append(line(type.name, type.directives))
      for field in type.fields {
        lines.append(line("\(type.name).\(field.name)", field.directives))
        lines += field.arguments.map { line("\(type.name).\(field.name)(\($0.name):)", $0.directives) }
      }
      lines += type.enumValues.map { line("\(type.name).\($0.name)", $0.directives) }
      lines += type.inputFields.map { line("\(type.name).\($0.name)", $0.directives) }
    }
    return lines
  }

  @Test(arguments: files)
  func `preserves the contents of a schema`(file: String) throws {
    let schema = try SchemaBuilder.build(try Self.sdl(file))
    let printed = SchemaPrinter.print(schema)
    let again = try SchemaBuilder.build(printed)
    #expect(try SchemaIntrospection.json(again) == SchemaIntrospection.json(schema))
    #expect(Self.applied(again) == Self.applied(schema))
    #expect(SchemaPrinter.print(again) == printed)
    #expect(!printed.contains("__") && !printed.contains("scalar String") && !printed.contains("directive @skip"))
  }

  @Test func `formats definitions`() throws {
    let schema = try SchemaBuilder.build(
      #"""
      "Says." directive @d("How." a: Int = 1 b: [P!]) repeatable on FIELD|QUERY
      type Query implements I@deprecatedTwin{"One." a("Described." b:Int=1, c:P={x:1}):Int@deprecated d(e:Int):[I!]!}
      directive @deprecatedTwin on OBJECT
      interface I{a(b:Int,c:P):Int@deprecated} union U=Query scalar S enum E{A "Second." B} input P@oneOf{x:Int}
      """
      text \"""quoted\""" """ type Empty{a:Int} " tab\tand\r" type Odd{a:Int}
      """#
    )
    #expect(
      SchemaPrinter.print(schema) == #"""
        """Says."""
        directive @d(
          """How."""
          a: Int = 1
          b: [P!]
        ) repeatable on FIELD | QUERY

        directive @deprecatedTwin on OBJECT

        type Query implements I @deprecatedTwin {
          """One."""
          a(
            """Described."""
            b: Int = 1
            c: P = {x: 1}
          ): Int @deprecated
          d(e: Int): [I!]!
        }

        interface I {
          a(b: Int, c: P): Int @deprecated
        }

        union U = Query

        scalar S

        enum E {
          A

          """Second."""
          B
        }

        input P @oneOf {
          x: Int
        }

        """text \"""quoted\""" """
        type Empty {
          a: Int
        }

        " tab\tand\r"
        type Odd {
          a: Int
        }

        """#
    )
  }

  @Test(arguments: [
    "type Query { a: Int }", "type Query { a: Int } type Mutation { a: Int } type Subscription { a: Int }",
  ])
  func `omits a schema definition that contains only defaults`(sdl: String) throws {
    #expect(!SchemaPrinter.print(try SchemaBuilder.build(sdl)).contains("schema"))
  }

  @Test(arguments: [
    "type Query { a: Int } schema { query: Query } type Mutation { a: Int }",
    "type Root { a: Int } schema { query: Root }", "type Query { a: Int } \"Described.\" schema { query: Query }",
  ])
  func `prints a schema definition that differs from the defaults`(sdl: String) throws {
    #expect(SchemaPrinter.print(try SchemaBuilder.build(sdl)).contains("schema {"))
  }
}
