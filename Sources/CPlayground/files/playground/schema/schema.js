// The schema for completion, documentation and the builder, parsed from the schema definition language.

import { tokensIn } from "../language/lexer.js";

/** The named type within a type such as `[Chore!]!`. */
export const namedType = (type) => type.replaceAll(/[[\]!\s]/g, "");

/** Whether a type only carries others: the pages of a list, and the results of mutations. */
export const isCarrier = ({ kind, name }) => kind === "type" && /(?:Connection|Edge|Payload)$/.test(name);

const builtIn = `
"Text." scalar String
"A whole number of 32 bits." scalar Int
"A number with a fraction." scalar Float
"True or false." scalar Boolean
"Names an object; opaque." scalar ID
"Excludes a field or fragment if the condition is true."
directive @skip("Whether to exclude it." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
"Excludes a field or fragment if the condition is false."
directive @include("Whether to take it." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
`;

/** The introspection schema (specification, 4.2), as far as queries need it. */
const introspection = `
"The schema itself."
type __Schema { description: String types: [__Type!]! queryType: __Type! mutationType: __Type subscriptionType: __Type directives: [__Directive!]! }
"A type of the schema."
type __Type {
  kind: __TypeKind! name: String description: String specifiedByURL: String isOneOf: Boolean
  fields(includeDeprecated: Boolean! = false): [__Field!] interfaces: [__Type!] possibleTypes: [__Type!]
  enumValues(includeDeprecated: Boolean! = false): [__EnumValue!] inputFields(includeDeprecated: Boolean! = false): [__InputValue!]
  ofType: __Type
}
"What kind of type it is."
enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
"A field of a type."
type __Field {
  name: String! description: String args(includeDeprecated: Boolean! = false): [__InputValue!]! type: __Type!
  isDeprecated: Boolean! deprecationReason: String
}
"An argument, or a field of an input type."
type __InputValue { name: String! description: String type: __Type! defaultValue: String isDeprecated: Boolean! deprecationReason: String }
"A value of an enumeration."
type __EnumValue { name: String! description: String isDeprecated: Boolean! deprecationReason: String }
"A directive."
type __Directive {
  name: String! description: String isRepeatable: Boolean! locations: [__DirectiveLocation!]!
  args(includeDeprecated: Boolean! = false): [__InputValue!]!
}
"Where a directive can be used."
enum __DirectiveLocation { QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION }
`;

/** The meta-fields of the query root type. */
const ofQueries = [
  ["__schema", "The schema itself.", "__Schema!", []], ["__type", "A type of the schema, by its name.", "__Type", [["name", "String!"]]],
].map(([name, description, type, args]) => ({
  name, description, type, deprecated: null,
  arguments: new Map(args.map(([key, of]) => [key, { name: key, type: of, description: "", value: null, arguments: new Map() }])),
}));

const typename = {
  name: "__typename", description: "The name of the object’s type.", arguments: new Map(), type: "String!", deprecated: null,
};

export class Schema {
  types = new Map();
  directives = new Map();
  roots = { query: "Query", mutation: "Mutation", subscription: "Subscription" };

  /** @param source the schema in GraphQL's schema definition language */
  constructor(source) {
    this.source = source;
    new Reader(source, this).read();
    new Reader(builtIn + introspection, this).read();
    for (const type of this.types.values()) {
      for (const name of type.interfaces) {
        this.types.get(name)?.possible.push(type.name);
        this.#describe(type, this.types.get(name));
      }
    }
  }

  /** Gives the fields of a type the descriptions of an interface, as introspection does, if they have none of their own. */
  #describe(type, { fields = new Map() } = {}) {
    for (const { name, description } of fields.values()) {
      const field = type.fields.get(name);
      if (field?.description === "") field.description = description;
    }
  }

  type(reference) { return reference ? this.types.get(namedType(reference)) : undefined; }

  rootType(operation) { return this.types.get(this.roots[operation]); }

  field(type, name) { return type?.fields.get(name) ?? this.metaFields(type).find((field) => field.name === name); }

  /** The meta-fields of a type. */
  metaFields(type) {
    if (!this.isComposite(type)) return [];
    return type.name === this.roots.query ? [typename, ...ofQueries] : [typename];
  }

  /** Whether the type has selection sets. */
  isComposite(type) { return ["type", "interface", "union"].includes(type?.kind); }

  isInput(type) { return ["scalar", "enum", "input"].includes(type?.kind); }

  /** The possible type conditions of a fragment within this type. */
  fragmentTypes(type) {
    const own = new Set(type.kind === "type" ? [type.name] : type.possible);
    return [...this.types.values()].filter((other) => this.isComposite(other)
      && (other.kind === "type" ? own.has(other.name) : other.possible.some((name) => own.has(name))));
  }
}

/** A comment that begins a section: a title between lines, as in `# ─── Chores ───`. */
const section = /^#\s*[─—=-]{3,}\s*([^─—=-].*?)\s*[─—=-]*$/;

class Reader {
  #tokens;
  #place = 0;
  /** The sections of the source, each { title, start }. */
  #sections;

  constructor(source, schema) {
    const tokens = tokensIn(source);
    this.#tokens = tokens.filter(({ kind }) => kind !== "comment");
    this.#sections = tokens.filter(({ kind, text }) => kind === "comment" && section.test(text))
      .map(({ text, start }) => ({ title: section.exec(text)[1], start }));
    this.schema = schema;
  }

  get #text() { return this.#tokens[this.#place]?.text; }
  #next() { return this.#tokens[this.#place++]?.text; }
  #skip(text) {
    if (this.#text !== text) return false;
    this.#place += 1;
    return true;
  }

  read() {
    while (this.#place < this.#tokens.length) {
      const description = this.#description();
      this.#skip("extend");
      const keyword = this.#next();
      if (keyword === "schema") this.#schemaDefinition();
      else if (keyword === "directive") this.#directive(description);
      else if (["type", "interface", "union", "enum", "input", "scalar"].includes(keyword)) this.#type(keyword, description);
    }
  }

  #description() {
    const token = this.#tokens[this.#place];
    if (token?.kind === "string") {
      this.#place += 1;
      try { return JSON.parse(token.text); } catch { return token.text.slice(1, -1); }
    }
    if (token?.kind !== "block") return "";
    this.#place += 1;
    const lines = token.text.slice(3, -3).replaceAll('\\"""', '"""').split(/\r\n|\r|\n/);
    const margins = lines.slice(1).filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)[0].length);
    const margin = margins.length === 0 ? 0 : Math.min(...margins);
    return lines.map((line, number) => (number === 0 ? line : line.slice(margin))).join("\n").trim();
  }

  #schemaDefinition() {
    this.#applied();
    if (!this.#skip("{")) return;
    while (this.#text !== undefined && !this.#skip("}")) {
      const operation = this.#next();
      if (this.#skip(":")) this.schema.roots[operation] = this.#next();
    }
  }

  #directive(description) {
    const name = this.#next().slice(1);
    const args = this.#text === "(" ? this.#members(")") : new Map();
    this.#skip("repeatable");
    const locations = [];
    if (this.#skip("on")) {
      this.#skip("|");
      do { locations.push(this.#next()); } while (this.#skip("|"));
    }
    this.schema.directives.set(name, { name, description, arguments: args, locations });
  }

  #type(kind, description) {
    const { start } = this.#tokens[this.#place] ?? {};
    const name = this.#next();
    const topic = this.#sections.findLast((one) => one.start < start)?.title ?? null;
    const type = this.schema.types.get(name)
      ?? { kind, name, description, topic, interfaces: [], possible: [], fields: new Map(), values: new Map() };
    this.schema.types.set(name, type);
    if (this.#skip("implements")) {
      this.#skip("&");
      do { type.interfaces.push(this.#next()); } while (this.#skip("&"));
    }
    const { specifiedBy = null, isOneOf = false } = this.#applied();
    Object.assign(type, { specifiedBy, isOneOf });
    if (this.#skip("=")) {
      this.#skip("|");
      do { type.possible.push(this.#next()); } while (this.#skip("|"));
    } else if (this.#text === "{") {
      const members = this.#members("}");
      const into = kind === "enum" ? type.values : type.fields;
      for (const [key, member] of members) into.set(key, member);
    }
  }

  /** Parses fields, input fields, arguments or enum values in brackets. */
  #members(end) {
    this.#next();
    const members = new Map();
    while (this.#text !== undefined && !this.#skip(end)) {
      const description = this.#description();
      const name = this.#next();
      const member = { name, description, arguments: new Map(), type: "", value: null };
      if (this.#text === "(") member.arguments = this.#members(")");
      if (this.#skip(":")) member.type = this.#typeReference();
      if (this.#skip("=")) member.value = this.#value();
      member.deprecated = this.#applied().deprecated ?? null;
      members.set(name, member);
    }
    return members;
  }

  #typeReference() {
    let text = "";
    while (this.#text === "[") text += this.#next();
    text += this.#next();
    while (this.#text === "!" || this.#text === "]") text += this.#next();
    return text;
  }

  /** The text of a constant value. */
  #value() {
    const opening = this.#next();
    if (opening !== "[" && opening !== "{") return opening;
    const parts = [];
    while (this.#text !== undefined && this.#text !== "]" && this.#text !== "}") {
      const part = this.#value();
      parts.push(this.#skip(":") ? `${part}: ${this.#value()}` : part);
    }
    return opening + parts.join(", ") + this.#next();
  }

  /** Parses directives and returns the relevant ones with their arguments. */
  #applied() {
    const said = {};
    while (this.#tokens[this.#place]?.kind === "directive") {
      const name = this.#next().slice(1);
      const text = {};
      if (this.#skip("(")) {
        while (this.#text !== undefined && !this.#skip(")")) {
          const argument = this.#next();
          if (this.#skip(":")) text[argument] = this.#value().replaceAll(/^"+|"+$/g, "");
        }
      }
      if (name === "deprecated") said.deprecated = text.reason ?? "No longer supported";
      if (name === "specifiedBy") said.specifiedBy = text.url;
      if (name === "oneOf") said.isOneOf = true;
    }
    return said;
  }
}
