// The panel that shows the signed-in user, and signs in and out.

import { demoPeople } from "./session.js";

const element = (id) => document.getElementById(id);

export function showSession(session) {
  const form = element("sign-in");
  const registration = element("register");
  const identifier = element("identifier");
  const password = element("password");
  const error = element("sign-in-error");
  const buttons = element("session-panel").getElementsByTagName("button");

  const fields = [
    [identifier, ["email", "username"]], [password, ["password"]], [element("register-email"), ["email"]],
    [element("register-password"), ["password"]], [element("register-name"), ["name", "firstName", "lastName"]],
    [element("register-born"), ["dateOfBirth"]],
  ];

  const report = (errors) => {
    error.textContent = errors.map(({ message }) => message).join(" ");
    element("register-error").textContent = error.textContent;
    for (const [field, names] of fields) {
      field.setAttribute("aria-invalid", String(errors.some((one) => names.includes(one.field?.at(-1)))));
    }
  };

  let isRegistering = false;
  /** Shows the form for a new account instead of the one for signing in, or the other way round. */
  const turnTo = (wanted) => {
    isRegistering = wanted;
    report([]);
    show();
    (wanted ? element("register-name") : identifier).focus();
  };

  /** Runs an attempt with the panel's buttons disabled. An unreachable server is reported like any other error. */
  const attempt = async (work) => {
    report([]);
    for (const button of buttons) button.disabled = true;
    try {
      const errors = await work();
      report(errors);
      return errors.length === 0;
    } catch {
      report([{ message: "The server could not be reached." }]);
      return false;
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  };

  const show = (message = "") => {
    const { viewer } = session;
    const state = element("session-state");
    const label = document.createElement("span");
    label.className = "label"; // A phone has no room for it.
    label.textContent = "Signed in: ";
    state.replaceChildren(...(viewer === null ? ["Not signed in"] : [label, viewer.name]));
    state.classList.toggle("in", viewer !== null);
    element("signed-in").hidden = viewer === null;
    form.hidden = viewer !== null || isRegistering;
    registration.hidden = viewer !== null || !isRegistering;
    element("viewer-name").textContent = viewer?.name ?? "";
    const kind = viewer?.__typename === "Child" ? "Child" : "Parent";
    element("viewer-detail").textContent = `${kind}, ${viewer?.email ?? viewer?.username ?? ""}`;
    if (message !== "") report([{ message }]);
  };

  const choose = () => {
    const child = form.elements.kind.value === "child";
    element("identifier-label").textContent = child ? "Username" : "E-mail";
    element("password-label").textContent = child ? "A parent’s password" : "Password";
    identifier.type = child ? "text" : "email";
  };

  form.addEventListener("change", choose);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const signedIn = await attempt(() => session.signIn(form.elements.kind.value, identifier.value, password.value));
    if (signedIn) {
      password.value = "";
      element("sign-out").focus();
    } else {
      (identifier.value === "" ? identifier : password).focus();
    }
  });
  element("register-open").addEventListener("click", () => turnTo(true));
  element("register-close").addEventListener("click", () => turnTo(false));
  registration.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [name, born, email, chosen] = ["name", "born", "email", "password"].map((field) => element(`register-${field}`));
    const input = { name: name.value, dateOfBirth: born.value, email: email.value, password: chosen.value };
    if (await attempt(() => session.register(input))) {
      registration.reset();
      turnTo(false);
      element("sign-out").focus();
    } else {
      ([name, born, email, chosen].find(({ ariaInvalid }) => ariaInvalid === "true") ?? email).focus();
    }
  });
  element("sign-out").addEventListener("click", async () => {
    await attempt(async () => {
      await session.signOut();
      return [];
    });
    identifier.focus();
  });
  element("keep-and-switch").addEventListener("click", () => {
    session.keepAndSwitch();
    identifier.focus();
  });
  session.addEventListener("change", ({ detail }) => show(detail));

  offerDemoPeople((person) => attempt(() => session.signIn(...person)));
  choose();
  show();
}

/** One button for each person that a server with demo data lists in the head of the page. */
function offerDemoPeople(signIn) {
  const people = demoPeople();
  for (const { label, email, username, password } of people) {
    const button = document.createElement("button");
    const detail = document.createElement("small");
    button.type = "button";
    detail.textContent = email ?? username;
    button.append(label, detail);
    button.addEventListener("click", async () => {
      await signIn(email ? ["parent", email, password] : ["child", username, password]);
      button.focus(); // which it lost while it was off
    });
    const item = document.createElement("li");
    item.append(button);
    element("demo-people").append(item);
  }
  element("demo").hidden = people.length === 0;
}
