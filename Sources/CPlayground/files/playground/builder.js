// Builds the query by clicking: the schema as a tree of checkboxes, checked if the operation at the caret selects the field.

import { declare, isNeeded, undeclare, variableFor, variablesIn } from "./language/declarations.js";
import { tokensIn } from "./language/lexer.js";
import { operationAt, operationsOf, parse } from "./language/parser.js";
import { prettify } from "./language/prettify.js";
import { InputFields } from "./input-fields.js";
import { pathsTo } from "./schema/paths.js";

const element = (id) => document.getElementById(id);

export class Builder {
  #schema = null;
  #editor;
  #open = new Set();
  #isShown = false;

  #inputs;

  /** `editor` has the query, `variables` the values of its variables. */
  constructor(editor, variables) {
    this.#editor = editor;
    this.#inputs = new InputFields(variables, () => this.update());
    element("builder-operation").addEventListener("change", () => this.update());
    element("builder-search").addEventListener("input", () => this.update());
  }

  get #text() { return closed(this.#editor.text); }

  set schema(schema) {
    this.#schema = schema;
    this.#inputs.schema = schema;
    const kinds = ["query", "mutation", "subscription"].filter((kind) => schema.rootType(kind));
    element("builder-operation").replaceChildren(...kinds.map((kind) => new Option(kind)));
    this.update();
  }

  set isShown(isShown) {
    this.#isShown = isShown;
    this.update();
  }

  /** Redraws the tree after the text has changed. */
  update() {
    if (!this.#isShown || this.#schema === null) return;
    const focused = element("builder").contains(document.activeElement) ? document.activeElement.dataset.path : null;
    const root = this.#schema.rootType(element("builder-operation").value);
    const words = element("builder-search").value.toLowerCase().split(/[\s.›]+/).filter((word) => word !== "");
    element("builder").replaceChildren(words.length === 0 ? this.#list(root, this.#operation()?.selection, []) : this.#found(root, words));
    if (focused !== null) element("builder").querySelector(`[data-path="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Redraws the values of variables, unless they are being edited here. */
  variablesChanged() { if (!element("builder").contains(document.activeElement)) this.update(); }

  /** The fields whose path contains the words, each with its parents. */
  #found(root, words) {
    const found = pathsTo(words, root, this.#schema);
    if (found.length === 0) {
      const none = document.createElement("p");
      none.className = "quiet";
      none.textContent = "No field contains these words.";
      return none;
    }
    const operation = this.#operation();
    const list = document.createElement("ul");
    list.append(...found.map(({ path, field }) => {
      const entry = document.createElement("li");
      const trail = operation ? locate(operation, path) : [];
      const item = trail.length === path.length ? trail.at(-1) : undefined;
      entry.append(this.#box(field, item, path, path.join(" › ")));
      if (item?.kind === "field") entry.append(...this.#arguments(field, item, path));
      return entry;
    }));
    return list;
  }

  /** The edited operation: the one at the caret, if it is of the chosen type. */
  #operation() {
    const kind = element("builder-operation").value;
    const operations = operationsOf(parse(this.#text)).filter(({ operation }) => operation === kind);
    return operationAt(operations, this.#editor.caret);
  }

  #list(type, selection, path) {
    const list = document.createElement("ul");
    for (const field of type.fields.values()) {
      const own = [...path, field.name];
      const item = selection?.items.find(({ kind, name }) => kind === "field" && name === field.name);
      list.append(this.#entry(field, item, own));
    }
    if (type.kind !== "type") {
      for (const name of type.possible) {
        const item = selection?.items.find(({ kind, on }) => kind === "inline" && on?.name === name);
        list.append(this.#entry({ name: `... on ${name}`, type: name, arguments: new Map(), description: "" }, item, [...path, `... on ${name}`]));
      }
    }
    return list;
  }

  #entry(field, item, path) {
    const entry = document.createElement("li");
    const type = this.#schema.type(field.type);
    const key = path.join("/");
    entry.append(this.#box(field, item, path, field.name));
    const isComposite = this.#schema.isComposite(type);
    const isOpen = item !== undefined || this.#open.has(key);
    if (isComposite) {
      const toggle = document.createElement("button");
      toggle.type = "button";
      toggle.className = "unfold";
      toggle.textContent = isOpen ? "▾" : "▸";
      toggle.setAttribute("aria-expanded", String(isOpen));
      toggle.setAttribute("aria-label", `Fields of ${field.name}`);
      toggle.addEventListener("click", () => {
        if (!this.#open.delete(key)) this.#open.add(key);
        this.update();
      });
      entry.prepend(toggle);
    }
    if (item?.kind === "field") entry.append(...this.#arguments(field, item, path));
    if (isComposite && isOpen) entry.append(this.#list(type, item?.selection, path));
    return entry;
  }

  /** The checkbox of a field, with its name. */
  #box(field, item, path, text) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    const name = document.createElement("span");
    box.type = "checkbox";
    box.checked = item !== undefined;
    box.dataset.path = path.join("/");
    box.addEventListener("change", () => this.#toggle(path, box.checked));
    name.className = field.deprecated ? "t-field gone" : "t-field";
    name.textContent = text;
    label.title = field.description;
    label.append(box, name);
    return label;
  }

  #arguments(field, item, path) {
    if (field.arguments.size === 0) return [];
    const list = document.createElement("ul");
    list.className = "arguments";
    list.append(...[...field.arguments.values()].map((argument) => {
      const entry = document.createElement("li");
      const isRequired = isNeeded(argument);
      const label = document.createElement("label");
      const box = document.createElement("input");
      const name = document.createElement("span");
      box.type = "checkbox";
      box.checked = item.arguments?.items.some(({ name }) => name === argument.name) ?? false;
      box.dataset.path = [...path, `(${argument.name}:)`].join("/");
      box.addEventListener("change", () => this.#toggleArgument(path, argument, box.checked));
      // A required argument that is given stays: without it the operation would not be valid.
      box.disabled = isRequired && box.checked;
      name.className = "t-key";
      name.textContent = `${argument.name}: ${argument.type}`;
      label.title = argument.description;
      label.append(box, name);
      if (isRequired) {
        const note = document.createElement("span");
        note.className = "quiet";
        note.textContent = "required";
        label.append(note);
      }
      entry.append(label);
      const value = item.arguments?.items.find(({ name: own }) => own === argument.name)?.value;
      if (value?.kind === "variable") entry.append(this.#inputs.editor(argument.type, [value.text.slice(1)]));
      return entry;
    }));
    return [list];
  }

  /** Adds a field and its missing parents, or removes it. */
  #toggle(path, isWanted) {
    const text = this.#text;
    const operation = this.#operation();
    const trail = operation ? locate(operation, path) : [];
    if (!isWanted) {
      // Removes the outermost parent that would be left empty, except the operation itself.
      let place = trail.length - 1;
      while (place > 0 && trail[place - 1].selection.items.length === 1) place -= 1;
      const isAll = place === 0 && operation.selection.items.length === 1;
      if (isAll) {
        const rest = variablesIn(text.slice(0, operation.start) + text.slice(operation.end), { start: 0, end: text.length });
        this.#inputs.forget(variablesIn(text, operation).filter((name) => !rest.includes(name)));
      }
      this.#cut(isAll ? operation : trail[place], isAll ? [] : variablesIn(text, trail[place]));
      return;
    }
    const missing = path.slice(trail.length);
    // The required arguments of parents that were written without them.
    const lacking = trail.findIndex((item, place) => this.#missingArguments(item, path.slice(0, place + 1)).length > 0);
    if (lacking >= 0) {
      const parentPath = path.slice(0, lacking + 1);
      for (const argument of this.#missingArguments(trail[lacking], parentPath)) this.#toggleArgument(parentPath, argument, true);
      this.#toggle(path, true);
      return;
    }
    const taken = operation?.variables?.items.map(({ name }) => name) ?? [];
    const addition = this.#nested(missing, this.#typeAt(path.slice(0, trail.length)), taken);
    if (operation === undefined) {
      const kind = element("builder-operation").value;
      const caret = text.trimEnd().length;
      this.#inputs.begin(addition.variables);
      this.#write(declare(`${text.trimEnd()}\n\n${kind} { ${addition.text} }`, caret + 4, addition.variables), caret + 4);
      return;
    }
    const parent = trail.at(-1) ?? operation;
    const place = parent.selection ? parent.selection.end - (parent.selection.isClosed ? 1 : 0) : parent.end;
    const insert = parent.selection ? ` ${addition.text} ` : ` { ${addition.text} }`;
    this.#insert(place, insert, addition.variables);
  }

  /** The required arguments of the field at a path that its selection does not give. */
  #missingArguments(item, path) {
    if (item.kind !== "field") return [];
    const given = item.arguments?.items.map(({ name }) => name) ?? [];
    const field = this.#typeAt(path.slice(0, -1)).fields.get(item.name);
    return [...field?.arguments.values() ?? []].filter((argument) => isNeeded(argument) && !given.includes(argument.name));
  }

  #toggleArgument(path, argument, isWanted) {
    const operation = this.#operation();
    const field = locate(operation, path).at(-1);
    const given = field.arguments?.items.find(({ name }) => name === argument.name);
    if (!isWanted && given) {
      this.#cut(field.arguments.items.length === 1 ? field.arguments : given, variablesIn(this.#text, given));
    } else if (isWanted) {
      const variable = variableFor(argument, operation.variables?.items.map(({ name }) => name) ?? []);
      const addition = `${argument.name}: $${variable.name}`;
      const place = field.arguments ? field.arguments.end - 1 : field.nameEnd;
      this.#insert(place, field.arguments ? `, ${addition}` : `(${addition})`, [variable]);
    }
  }

  /** Inserts a text into the operation and declares its variables. */
  #insert(place, addition, variables) {
    const text = this.#text;
    const caret = this.#operation().start + 1;
    this.#inputs.begin(variables);
    this.#write(declare(text.slice(0, place) + addition + text.slice(place), caret, variables), caret);
  }

  /** Removes a part, and the declarations of variables that only it uses. */
  #cut({ start, end }, variables) {
    const text = this.#text;
    const caret = this.#operation().start + 1;
    const rest = undeclare(text.slice(0, start) + text.slice(end), caret, variables);
    const used = variablesIn(rest, { start: 0, end: rest.length });
    this.#inputs.forget(variables.filter((name) => !used.includes(name)));
    this.#write(rest, caret);
  }

  #typeAt(path) {
    let type = this.#schema.rootType(element("builder-operation").value);
    for (const name of path) {
      type = name.startsWith("... on ") ? this.#schema.types.get(name.slice(7)) : this.#schema.type(type.fields.get(name)?.type);
    }
    return type;
  }

  /**
   * The text of nested fields, with their required arguments and a selection of the innermost field: { text, variables }. The
   * names of variables differ from those in `taken`.
   */
  #nested([name, ...rest], type, taken) {
    const field = type.fields.get(name);
    const inner = field ? this.#schema.type(field.type) : this.#schema.types.get(name.slice(7));
    const needed = [...field?.arguments.values() ?? []].filter(isNeeded);
    const variables = needed.map((one) => variableFor(one, taken));
    const head = name + (needed.length > 0 ? `(${needed.map((one, number) => `${one.name}: $${variables[number].name}`).join(", ")})` : "");
    if (!this.#schema.isComposite(inner)) return { text: head, variables };
    const below = rest.length > 0
      ? this.#nested(rest, inner, [...taken, ...variables.map((one) => one.name)]) : { text: inner.fields.has("id") ? "id" : "__typename", variables: [] };
    return { text: `${head} { ${below.text} }`, variables: [...variables, ...below.variables] };
  }

  #write(text, caret) {
    const before = operationsOf(parse(text)).findLastIndex(({ start }) => start <= caret);
    const pretty = prettify(text) ?? text;
    this.#editor.fill(pretty, { caret: (operationsOf(parse(pretty))[Math.max(0, before)]?.start ?? 0) + 1 });
    this.update();
  }
}

/** The selections of a document along a path of names, as far as they exist. */
function locate(operation, path) {
  const trail = [];
  let { selection } = operation;
  for (const name of path) {
    const item = selection?.items.find((one) =>
      (one.kind === "field" && one.name === name) || (one.kind === "inline" && `... on ${one.on?.name}` === name));
    if (item === undefined) break;
    trail.push(item);
    ({ selection } = item);
  }
  return trail;
}

/** An incomplete text with its open brackets closed, so that additions are inserted at the right position. */
function closed(text) {
  const open = [];
  for (const token of tokensIn(text)) {
    if ("([{".includes(token.text)) open.unshift({ "(": ")", "[": "]", "{": "}" }[token.text]);
    else if (token.text === open[0]) open.shift();
  }
  return open.length === 0 ? text : `${text}\n${open.join(" ")}`;
}
