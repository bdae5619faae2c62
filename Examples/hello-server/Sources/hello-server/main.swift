import GraphQLServer

struct Book {
  let id: Int, title: String, authorID: Int
}

struct Author {
  let id: Int, name: String
}

actor Library {
  private(set) var books = [
    Book(id: 1, title: "Frankenstein", authorID: 1), Book(id: 2, title: "The Last Man", authorID: 1),
    Book(id: 3, title: "Orlando", authorID: 2),
  ]
  private let authors = [1: Author(id: 1, name: "Mary Shelley"), 2: Author(id: 2, name: "Virginia Woolf")]
  let additions = GraphQLTopics<String, Book>()

  func authors(_ ids: [Int]) -> [Int: Author] { authors.filter { ids.contains($0.key) } }

  func add(_ title: String, by authorID: Int) throws -> Book {
    guard authors[authorID] != nil else { throw GraphQLError("There is no such author.", code: "AUTHOR_NOT_FOUND") }
    let book = Book(id: books.count + 1, title: title, authorID: authorID)
    books.append(book)
    additions.publish(book, to: "books")
    return book
  }
}

/// What the resolvers of a request share.
struct Context {
  let library: Library
  let user: String?
}

var schema = GraphQLSchema<Context>(
  """
  type Query { hello: String! books: [Book!]! }
  type Mutation { addBook(title: String!, authorId: ID!): Book! }
  type Subscription { bookAdded: Book! }
  type Book { id: ID! title: String! author: Author }
  type Author { name: String! }
  """
)
schema.query("hello") { request in "Hello, \(request.context.user ?? "stranger")!" }
schema.query("books") { request in await request.context.library.books }
schema.mutation("addBook") { request in
  try await request.context.library.add(request.arguments["title"], by: request.arguments["authorId"])
}
schema.subscription("bookAdded") { request in request.context.library.additions.events(of: "books") }
schema.object("Book", Book.self) { book in
  book.field("id", \Book.id)
  book.field("title", \Book.title)
  // Called once for all books of a response.
  book.field("author", by: \Book.authorID) { ids, request in await request.context.library.authors(ids) }
}
schema.object("Author", Author.self) { author in author.field("name", \Author.name) }

var options = GraphQLServerOptions()
options.port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
let library = Library()
let server = try GraphQLServer(schema, options: options) { request in
  Context(library: library, user: request["X-User"])
}
try await server.run()
