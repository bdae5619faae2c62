// Asks for a name, and for the collection that it goes into, in a dialog.

const element = (id) => document.getElementById(id);

/**
 * Returns { name, collection } as they were entered, or null if the dialog was closed. Without `collections`, only the name is
 * asked for.
 */
export function askForName(title, name, { collection = "", collections = null } = {}) {
  const dialog = element("ask");
  const listening = new AbortController();
  const { signal } = listening;
  element("ask-title").textContent = title;
  element("ask-name").value = name;
  element("ask-collection").value = collection;
  element("ask-collection").disabled = collections === null;
  element("ask-in").hidden = collections === null;
  element("ask-collections").replaceChildren(...(collections ?? []).map((one) => new Option(one)));
  dialog.showModal();
  element("ask-name").select();
  return new Promise((resolve) => {
    let entered = null;
    element("ask-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const [own, into] = [element("ask-name").value.trim(), element("ask-collection").value.trim()];
      if (own === "") return;
      entered = { name: own, collection: into };
      dialog.close();
    }, { signal });
    element("ask-cancel").addEventListener("click", () => dialog.close(), { signal });
    dialog.addEventListener("close", () => {
      listening.abort();
      resolve(entered);
    }, { signal });
  });
}
