// Parses a possibly incomplete document into a tree with offsets. Unexpected tokens are skipped, and unclosed brackets end with
// the text. Errors are reported by the server.

import { tokensIn } from "./lexer.js";

const operations = ["query", "mutation", "subscription"];

class Parser {
  constructor(source) {
    this.source = source;
    this.tokens = tokensIn(source).filter(({ kind }) => kind !== "comment");
    this.place = 0;
  }

  get token() { return this.tokens[this.place]; }
  get isAtEnd() { return this.place >= this.tokens.length; }
  /** The end offset of the last token read. */
  get end() { return this.place === 0 ? 0 : this.tokens[this.place - 1].end; }

  is(text) { return this.token?.text === text; }
  isName() { return this.token?.kind === "name"; }
  next() { return this.tokens[this.place++]; }
  skip(text) {
    if (!this.is(text)) return false;
    this.place += 1;
    return true;
  }
  name() { return this.isName() ? this.next().text : null; }

  document() {
    const definitions = [];
    while (!this.isAtEnd) {
      const { kind, start } = this.tokens[this.place - 1] ?? {};
      const describedFrom = kind === "string" || kind === "block" ? start : this.token.start;
      if (this.is("{") || operations.includes(this.token.text)) definitions.push({ ...this.operation(), describedFrom });
      else if (this.is("fragment")) definitions.push({ ...this.fragment(), describedFrom });
      else this.next();
    }
    return definitions;
  }

  operation() {
    const { start } = this.token;
    const operation = this.is("{") ? "query" : this.next().text;
    const isShort = this.is("{") && this.token.start === start;
    const headEnd = this.end;
    const nameToken = this.isName() ? this.next() : null;
    const afterName = nameToken?.end ?? (isShort ? start : headEnd);
    const variables = this.is("(") ? this.variables() : null;
    const directives = this.directives();
    const selection = this.is("{") ? this.selection() : null;
    return {
      kind: "operation", operation, isShort, name: nameToken?.text ?? null, afterName, variables, directives, selection, start,
      end: this.closed(selection),
    };
  }

  fragment() {
    const { start } = this.next();
    const name = this.is("on") ? null : this.name();
    const on = this.skip("on") ? this.typeName() : null;
    const directives = this.directives();
    const selection = this.is("{") ? this.selection() : null;
    return { kind: "fragment", name, on, directives, selection, start, end: this.closed(selection) };
  }

  /** The end of a definition. An unfinished one extends to the end of the text. */
  closed(selection) { return selection?.isClosed ? selection.end : this.isAtEnd ? this.source.length : this.end; }

  /** The end of a node with these parts: an unclosed part extends past the last token read, to where the next one could follow. */
  endWith(...parts) { return Math.max(this.end, ...parts.map((part) => part?.end ?? 0)); }

  typeName() {
    if (!this.isName() || this.is("{")) return null;
    const { text, start, end } = this.next();
    return { name: text, start, end };
  }

  variables() {
    const { start } = this.next();
    const items = [];
    while (!this.isAtEnd && !this.is(")") && !this.is("{")) {
      if (this.token.kind !== "variable" || this.token.text === "$") {
        this.next();
        continue;
      }
      const token = this.next();
      const item = { name: token.text.slice(1), start: token.start, end: token.end, type: "", equals: null, value: null };
      if (this.skip(":")) {
        const from = this.token?.start ?? this.end;
        while (this.is("[")) this.next();
        this.name();
        while (this.is("!") || this.is("]")) this.next();
        item.type = this.source.slice(from, Math.max(from, this.end)).replaceAll(/\s/g, "");
      }
      if (this.skip("=")) {
        item.equals = this.end;
        item.value = this.value();
      }
      item.end = this.end;
      this.directives();
      items.push(item);
    }
    const isClosed = this.skip(")");
    return { start, items, isClosed, end: isClosed ? this.end : this.token?.start ?? this.source.length };
  }

  directives() {
    const found = [];
    while (this.token?.kind === "directive") {
      const { text, start } = this.next();
      const args = this.is("(") ? this.arguments() : null;
      found.push({ name: text.slice(1), start, arguments: args, end: this.endWith(args) });
    }
    return found;
  }

  selection() {
    const { start } = this.next();
    const items = [];
    while (!this.isAtEnd && !this.is("}")) {
      if (this.token.kind === "spread") items.push(this.spread());
      else if (this.isName()) items.push(this.field());
      else this.next();
    }
    const isClosed = this.skip("}");
    return { start, items, isClosed, end: isClosed ? this.end : this.source.length };
  }

  spread() {
    const { start } = this.next();
    if (this.isName() && !this.is("on")) {
      const name = this.next();
      const directives = this.directives();
      return { kind: "spread", name: name.text, nameStart: name.start, nameEnd: name.end, directives, start, end: this.end };
    }
    const on = this.skip("on") ? this.typeName() : null;
    const directives = this.directives();
    const selection = this.is("{") ? this.selection() : null;
    return { kind: "inline", on, directives, selection, start, end: this.endWith(...directives, selection) };
  }

  field() {
    const first = this.next();
    let name = first;
    if (this.skip(":") && this.isName()) name = this.next();
    const args = this.is("(") ? this.arguments() : null;
    const directives = this.directives();
    const selection = this.is("{") ? this.selection() : null;
    return {
      kind: "field", name: name.text, alias: name === first ? null : first.text, nameStart: name.start, nameEnd: name.end,
      arguments: args, directives, selection, start: first.start, end: this.endWith(args, ...directives, selection),
    };
  }

  arguments() {
    const { start } = this.next();
    const items = this.members(")", "}");
    const isClosed = this.skip(")");
    return { start, items, isClosed, end: isClosed ? this.end : this.token?.start ?? this.source.length };
  }

  /** Parses `name: value` pairs up to the closing token. */
  members(...ends) {
    const items = [];
    while (!this.isAtEnd && !ends.some((end) => this.is(end))) {
      if (!this.isName()) {
        this.next();
        continue;
      }
      const name = this.next();
      const item = { name: name.text, start: name.start, nameEnd: name.end, colon: null, value: null };
      if (this.skip(":")) {
        item.colon = this.end;
        item.value = this.value();
      }
      item.end = this.endWith(item.value);
      items.push(item);
    }
    return items;
  }

  value() {
    if (this.isAtEnd || this.is(")") || this.is("}")) return null;
    const { start } = this.token;
    if (this.skip("{")) {
      const items = this.members("}", ")");
      const isClosed = this.skip("}");
      return { kind: "object", items, start, end: isClosed ? this.end : this.token?.start ?? this.source.length };
    }
    if (this.skip("[")) {
      const items = [];
      while (!this.isAtEnd && !["]", ")", "}"].some((end) => this.is(end))) {
        const value = this.value();
        if (value === null) break;
        items.push(value);
      }
      const isClosed = this.skip("]");
      return { kind: "list", items, start, end: isClosed ? this.end : this.token?.start ?? this.source.length };
    }
    const token = this.next();
    return { kind: token.kind, text: token.text, start: token.start, end: token.end };
  }
}

/** The definitions of a document in order, with offsets in its text. They are `describedFrom` their description, if they have one. */
export const parse = (source) => new Parser(source).document();

export const operationsOf = (definitions) => definitions.filter(({ kind }) => kind === "operation");

/** The operation that contains the offset, or else the last one before it. */
export function operationAt(operations, offset) {
  return operations.findLast(({ start }) => start <= offset) ?? operations[0];
}
