// Completion in the variables: the variables of the operation, the fields of input types, the values of enums.

import { autocompletion } from "../codemirror.js";
import { informationOf } from "./completion.js";

/** `about()` returns { schema, operation }; the schema is null while it is loading. */
export function variableCompletion(about) {
  return autocompletion({ override: [(context) => complete(context, about())], icons: false });
}

function complete(context, { schema, operation }) {
  if (schema === null || operation === undefined) return null;
  const word = context.matchBefore(/"?\w*/);
  const { path, given, isValue } = place(context.state.sliceDoc(0, word.from));
  if (word.text === "" && !context.explicit) return null;
  const root = operation.variables?.items ?? [];
  let members = root;
  let type = null;
  for (const key of path) {
    const member = members.find(({ name }) => name === key);
    type = schema.type(member?.type);
    members = [...type?.fields.values() ?? []];
  }
  const options = isValue
    ? values(type)
    : members.filter(({ name }) => !given.includes(name))
      .map((member) => ({
        label: `"${member.name}"`, detail: member.type, info: informationOf(member), apply: `"${member.name}": `,
      }));
  return options.length === 0 ? null : { from: word.from, options, validFor: /^"?\w*$/ };
}

function values(type) {
  if (type?.kind === "enum") {
    return [...type.values.values()].map((value) => ({ label: `"${value.name}"`, detail: type.name, info: informationOf(value) }));
  }
  return type?.name === "Boolean" ? [{ label: "true" }, { label: "false" }] : [];
}

/** The context at the end of a JSON text: the path of keys, the sibling keys, and whether a value follows. */
function place(text) {
  const stack = [];
  let key = null;
  let isValue = false;
  for (const { 0: token } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g)) {
    if (token === "{") {
      stack.push({ key, given: [] });
      isValue = false;
    } else if (token === "[") {
      stack.push({ key: null, given: [], isList: true });
    } else if (token === "}" || token === "]") {
      stack.pop();
    } else if (token === ":") {
      isValue = true;
    } else if (token === ",") {
      isValue = stack.at(-1)?.isList ?? false;
    } else if (!isValue && !stack.at(-1)?.isList) {
      key = token.slice(1, -1);
      stack.at(-1)?.given.push(key);
    }
  }
  const outer = stack.filter((one, number) => number > 0 && one.key !== null).map((one) => one.key);
  return { path: isValue && key !== null ? [...outer, key] : outer, given: stack.at(-1)?.given ?? [], isValue };
}
