// Completion at the caret by the schema: fields, arguments, values, fragments, variables, directives.

import { autocompletion, startCompletion } from "../codemirror.js";
import { described } from "../schema/prose.js";
import { namedType } from "../schema/schema.js";
import { contextAt } from "./context.js";
import { parse } from "./parser.js";

const inside = (definition) => definition && ["operation", "fragment"].includes(definition.kind);

/** `schema()` returns the schema, or null while it is loading. */
export function completion(schema) {
  return autocompletion({ override: [(context) => complete(context, schema())], icons: false, maxRenderedOptions: 200 });
}

/** For the card beside the list: what the schema says of a type or member. Undefined if it says nothing. */
export function informationOf(member) {
  if (!member.description && !member.deprecated) return undefined;
  return () => {
    const holder = document.createElement("div");
    holder.className = "about";
    holder.append(...described(member));
    return holder;
  };
}

/** Reopens the list after an option that is incomplete by itself. */
const andGoOn = (text, back = 0) => (view, _option, from, to) => {
  view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length - back } });
  startCompletion(view);
};

function complete(context, schema) {
  if (schema === null) return null;
  const source = context.state.doc.toString();
  const word = context.matchBefore(/[@$]?\w*/);
  const before = source.slice(0, word.from);
  if (word.text === "" && !context.explicit && !/[{(:]\s?$/.test(before)) return null;
  if (/#[^\n]*$/.test(before)) return null;
  // Without the word at the caret, which would be parsed as a name of its own.
  const definitions = parse(source);
  const about = contextAt(definitions, schema, word.text === "" ? context.pos : word.from + 1);
  const options = optionsFor(about, { schema, definitions, before, text: word.text });
  return options === null ? null : { from: word.from, options, validFor: /^[@$]?\w*$/ };
}

function optionsFor(about, { schema, definitions, before, text }) {
  const { definition } = about;
  if (text.startsWith("@")) return directives(schema, about.kind === "variableType" ? "VARIABLE_DEFINITION" : about.location ?? "FIELD");
  if (text.startsWith("$")) return variables(definition, about.type);
  if (/\.\.\.\s*$/.test(before) && inside(definition)) return fragments(schema, about, definitions);
  if (/\bon\s+$/.test(before)) return types(schema, (type) => schema.isComposite(type), about.parent && schema.fragmentTypes(about.parent));
  switch (about.kind) {
    case "definition": return /\bfragment\s+$/.test(before) ? null : keywords;
    case "field": return about.parent ? fields(schema, about.parent) : null;
    case "argument": return members(about.owner?.arguments, about.given, about.argument);
    case "inputField": return members(about.type?.fields, about.given, about.field);
    case "value": return values(schema, about, definition);
    case "fragmentType": return types(schema, (type) => schema.isComposite(type));
    case "variableType": return types(schema, (type) => schema.isInput(type));
    case "spread": return fragments(schema, about, definitions);
    default: return null;
  }
}

const keywords = ["query", "mutation", "subscription", "fragment"].map((label) => ({ label, type: "keyword" }));

function fields(schema, parent) {
  const all = [...parent.fields.values(), ...schema.metaFields(parent)];
  return all.map((field, place) => {
    const needed = [...field.arguments.values()].filter(({ type, value }) => type.endsWith("!") && value === null);
    const opens = schema.isComposite(schema.type(field.type));
    let apply;
    if (needed.length > 0) {
      const text = `${field.name}(${needed[0].name}: )${opens ? " {  }" : ""}`;
      apply = andGoOn(text, text.length - text.indexOf(": )") - 2);
    } else if (opens) {
      apply = andGoOn(`${field.name} {  }`, 2);
    }
    return {
      label: field.name, detail: field.type, info: informationOf(field), type: field.deprecated ? "deprecated" : "field", apply,
      boost: field.name.startsWith("__") || field.deprecated ? -50 : -place / 10,
    };
  });
}

function members(all, given, current) {
  if (all === undefined) return null;
  return [...all.values()].filter(({ name }) => name === current?.name || !given.includes(name)).map((member, place) => ({
    label: member.name, detail: member.type, info: informationOf(member), apply: andGoOn(`${member.name}: `),
    boost: (member.type.endsWith("!") ? 1 : 0) - place / 100,
  }));
}

function values(schema, { type: reference }, definition) {
  const type = schema.type(reference);
  const given = variables(definition, reference);
  if (type?.kind === "enum") {
    return [...[...type.values.values()].map((value) => ({ label: value.name, detail: type.name, info: informationOf(value) })), ...given];
  }
  if (type?.name === "Boolean") return [{ label: "true" }, { label: "false" }, ...given];
  if (type?.kind === "input") return [{ label: "{", detail: type.name, apply: andGoOn("{  }", 2) }, ...given];
  return given;
}

function variables(definition, reference) {
  const items = definition?.variables?.items ?? [];
  const fits = ({ type }) => !reference || namedType(type) === namedType(reference);
  return items.map((item) => ({ label: `$${item.name}`, detail: item.type, boost: fits(item) ? 2 : -2 }));
}

function directives(schema, location) {
  return [...schema.directives.values()].filter(({ locations }) => locations.includes(location)).map((directive) => {
    const [first] = directive.arguments.keys();
    const text = `@${directive.name}${first ? `(${first}: )` : ""}`;
    return { label: `@${directive.name}`, info: informationOf(directive), apply: first ? andGoOn(text, 1) : text };
  });
}

function fragments(schema, { parent }, definitions) {
  const fitting = parent ? new Set(schema.fragmentTypes(parent).map(({ name }) => name)) : null;
  const named = definitions.filter(({ kind, name, on }) => kind === "fragment" && name && (!fitting || fitting.has(on?.name)));
  const types = parent ? schema.fragmentTypes(parent) : [];
  return [
    ...named.map(({ name, on }) => ({ label: name, detail: `on ${on?.name}`, boost: 2 })),
    ...types.map((type) => ({ label: `on ${type.name}`, info: informationOf(type), apply: andGoOn(`on ${type.name} {  }`, 2) })),
  ];
}

function types(schema, isFitting, among = [...schema.types.values()]) {
  return among.filter((type) => isFitting(type) && !type.name.startsWith("__"))
    .map((type) => ({ label: type.name, detail: type.kind, info: informationOf(type) }));
}
