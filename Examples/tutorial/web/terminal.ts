// The app in a terminal: `node terminal.ts` shows the family, `node terminal.ts follow` waits for changes.
import { addChore, changes, finish, loadFamily, signIn } from "./family.ts";
import { Hearth } from "./hearth.ts";

const hearth = new Hearth(process.env.HEARTH ?? "http://127.0.0.1:8080/graphql");
console.log(await signIn(hearth, "ada@example.com", "not hers"));
console.log(await signIn(hearth, "ada@example.com", "hearth-demo"));

if (process.argv[2] === "follow") {
  for await (const change of changes(hearth)) console.log(change);
}

const [mia] = (await loadFamily(hearth)).children;
console.log(mia.name, mia.points, mia.chores[0].name);
console.log(await addChore(hearth, " ", mia));
await addChore(hearth, "Bake bread", mia);
await finish(hearth, mia.chores[0], mia, 3);

const [after] = (await loadFamily(hearth)).children;
console.log(after.name, after.points, after.chores.map((chore) => chore.name).includes("Bake bread"));
