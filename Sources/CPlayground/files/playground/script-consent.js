// Asks whether the scripts of an imported request may run, and shows all of them.

const element = (id) => document.getElementById(id);
/** Characters that are not seen, or change the order of others, so that a script would seem to be another one. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Returns whether the user allows { before, after }. */
export function askToAllow(scripts) {
  const dialog = element("allow");
  for (const kind of ["before", "after"]) {
    element(`allow-${kind}`).hidden = scripts[kind].trim() === "";
    element(`allow-${kind}-text`).textContent = visible(scripts[kind]);
  }
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "allow"), { once: true });
  });
}

function visible(text) {
  return text.replaceAll(unseen, (one) => (one === "\n" || one === "\t" ? one : `\\u{${one.codePointAt(0).toString(16)}}`));
}
