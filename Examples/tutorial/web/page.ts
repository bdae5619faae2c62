import { addChore, changes, type Child, finish, loadFamily, signIn } from "./family.ts";
import { hasEnded, Hearth, HearthError, isTemporary, type UserError } from "./hearth.ts";

const find = (id: string) => document.getElementById(id)!;
const stored = JSON.parse(localStorage.getItem("credentials") ?? "null");
const hearth = new Hearth("http://127.0.0.1:8080/graphql", stored, (credentials) => {
  localStorage.setItem("credentials", JSON.stringify(credentials));
});

find("sign-in").onsubmit = async (event) => {
  event.preventDefault();
  const form = new FormData(find("sign-in") as HTMLFormElement);
  if (await attempt(signIn(hearth, String(form.get("email")), String(form.get("password"))))) await open();
};

async function open() {
  find("sign-in").hidden = true;
  for (;;) {
    try {
      // Something changed: load what is shown. A larger app would change only what the event names.
      for await (const change of changes(hearth, show)) {
        find("message").textContent = change;
        await show();
      }
    } catch (error) {
      // Events are missing, or the user belongs to another family now: load everything, and follow from now on.
      const code = error instanceof HearthError ? error.code : "";
      if (!["FEED_GAP", "RIGHTS_CHANGED"].includes(code)) return close(error as Error);
    }
  }
}

// Shows why the page no longer follows the family. If the session has ended, asks the user to sign in again.
function close(error: Error) {
  console.error(error);
  find("message").textContent = error.message;
  if (!hasEnded(error)) return;
  hearth.use(null);
  find("family").replaceChildren();
  find("sign-in").hidden = false;
}

// Shows what the user filled in wrongly, or why the mutation failed. Returns whether it succeeded.
async function attempt(mutation: Promise<UserError[]>) {
  const message = find("message");
  message.textContent = "";
  try {
    const errors = await mutation;
    if (!errors.length) return true;
    message.textContent = errors.map((error) => error.message).join(" ");
  } catch (error) {
    message.textContent = (error as Error).message;
  }
  return false;
}

async function show() {
  try {
    const family = await loadFamily(hearth);
    find("family").replaceChildren(heading(family.name), ...family.children.map(card));
  } catch (error) {
    if (!isTemporary(error)) throw error;
    // The server cannot be reached, or is not available now. Events wait meanwhile.
    await new Promise((resume) => setTimeout(resume, 1000));
    await show();
  }
}

function heading(text: string) {
  const element = document.createElement("h2");
  element.textContent = text;
  return element;
}

function card(child: Child) {
  const section = document.createElement("section");
  section.append(heading(`${child.name}: ${child.points} points`));
  for (const chore of child.chores) {
    const done = document.createElement("button");
    done.textContent = `${chore.name} ✓`;
    done.onclick = () => attempt(finish(hearth, chore, child, 1));
    section.append(done);
  }
  const form = document.createElement("form");
  const name = document.createElement("input");
  name.placeholder = "A new chore";
  form.onsubmit = (event) => {
    event.preventDefault();
    attempt(addChore(hearth, name.value, child));
  };
  form.append(name);
  section.append(form);
  return section;
}

if (hearth.credentials) await open();
