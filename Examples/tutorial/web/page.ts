import { addChore, changes, type Child, finish, loadFamily, signIn } from "./family.ts";
import { Hearth, HearthError } from "./hearth.ts";

const find = (id: string) => document.getElementById(id)!;
const stored = JSON.parse(localStorage.getItem("credentials") ?? "null");
const hearth = new Hearth("http://127.0.0.1:8080/graphql", stored, (credentials) => {
  localStorage.setItem("credentials", JSON.stringify(credentials));
});

find("sign-in").onsubmit = async (event) => {
  event.preventDefault();
  const form = new FormData(find("sign-in") as HTMLFormElement);
  const errors = await signIn(hearth, String(form.get("email")), String(form.get("password")));
  find("message").textContent = errors.map((error) => error.message).join(" ");
  if (!errors.length) await open();
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
      if (!(error instanceof HearthError) || error.code !== "FEED_GAP") throw error;
    }
  }
}

async function show() {
  try {
    const family = await loadFamily(hearth);
    find("family").replaceChildren(heading(family.name), ...family.children.map(card));
  } catch (error) {
    if (error instanceof HearthError) throw error;
    // The server cannot be reached now. Events wait meanwhile.
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
    done.onclick = () => finish(hearth, chore, child, 1);
    section.append(done);
  }
  const name = document.createElement("input");
  name.placeholder = "A new chore";
  name.onchange = async () => {
    const errors = await addChore(hearth, name.value, child);
    find("message").textContent = errors.map((error) => error.message).join(" ");
  };
  section.append(name);
  return section;
}

if (hearth.credentials) await open();
