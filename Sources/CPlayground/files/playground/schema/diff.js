// The differences between two versions of a schema, and which of them can break clients.

/** The changes in order, each { what, how, isBreaking }. */
export function differences(before, after) {
  const changes = [];
  const note = (what, how, isBreaking) => changes.push({ what, how, isBreaking });
  for (const [name, type] of before.types) {
    const now = after.types.get(name);
    if (now === undefined) note(name, "removed", true);
    else if (now.kind !== type.kind) note(name, `was ${type.kind}, is ${now.kind}`, true);
    else compareTypes(name, type, now);
  }
  for (const name of after.types.keys()) if (!before.types.has(name)) note(name, "added", false);
  return changes.sort((one, other) => Number(other.isBreaking) - Number(one.isBreaking));

  function compareTypes(name, type, now) {
    const isInput = type.kind === "input";
    compareMembers(name, type.fields, now.fields, { isInput });
    for (const value of type.values.keys()) if (!now.values.has(value)) note(`${name}.${value}`, "removed", true);
    for (const value of now.values.keys()) if (!type.values.has(value)) note(`${name}.${value}`, "added", false);
    if (type.kind === "union") {
      for (const member of type.possible) if (!now.possible.includes(member)) note(name, `no longer contains ${member}`, true);
      for (const member of now.possible) if (!type.possible.includes(member)) note(name, `contains ${member}, too`, false);
    }
    for (const one of type.interfaces) if (!now.interfaces.includes(one)) note(name, `no longer implements ${one}`, true);
    for (const one of now.interfaces) if (!type.interfaces.includes(one)) note(name, `implements ${one}, too`, false);
    if (isInput && !type.isOneOf && now.isOneOf) note(name, "takes exactly one field", true);
  }

  function compareMembers(owner, old, current, { isInput }) {
    for (const [name, member] of old) {
      const what = `${owner}.${name}`;
      const now = current.get(name);
      if (now === undefined) {
        note(what, "removed", true);
        continue;
      }
      if (member.type !== now.type) note(what, `was ${member.type}, is ${now.type}`, !(isInput ? accepts(now.type, member.type) : accepts(member.type, now.type)));
      if (isInput && member.value !== now.value) note(what, `default was ${member.value ?? "none"}, is ${now.value ?? "none"}`, now.value === null && now.type.endsWith("!"));
      if (!member.deprecated && now.deprecated) note(what, `deprecated: ${now.deprecated}`, false);
      if (!isInput) compareMembers(what, member.arguments, now.arguments, { isInput: true });
    }
    for (const [name, now] of current) {
      if (old.has(name)) continue;
      const isNeeded = isInput && now.type.endsWith("!") && now.value === null;
      note(`${owner}.${name}`, isNeeded ? "added, and required" : "added", isNeeded);
    }
  }
}

/** Whether a place for the type `wide` takes what has the type `narrow`: the same, or without null. */
function accepts(wide, narrow) {
  if (wide === narrow) return true;
  if (narrow.endsWith("!")) return accepts(wide.replace(/!$/, ""), narrow.slice(0, -1));
  if (wide.endsWith("!")) return false;
  return wide.startsWith("[") && narrow.startsWith("[") && accepts(wide.slice(1, -1), narrow.slice(1, -1));
}
