import { Hearth, type UserError } from "./hearth.ts";

export interface Chore { id: string; name: string; priority: number }
export interface Child { id: string; name: string; points: number; chores: Chore[] }
export interface Family { name: string; children: Child[] }

export async function signIn(hearth: Hearth, email: string, password: string): Promise<UserError[]> {
  const { signIn } = await hearth.request(
    `mutation ($input: SignInInput!) {
      signIn(input: $input) { credentials { accessToken refreshToken } userErrors { field code message } }
    }`,
    { input: { email, password } },
  );
  if (signIn.credentials) hearth.use(signIn.credentials);
  return signIn.userErrors;
}

export async function loadFamily(hearth: Hearth): Promise<Family> {
  const { family } = await hearth.request(`{
    family {
      name
      children { id name points chores: assignedChores(first: 20) { nodes { id name priority } } }
    }
  }`);
  const children = family.children.map((child: any) => ({ ...child, chores: child.chores.nodes }));
  return { name: family.name, children };
}

export async function addChore(hearth: Hearth, name: string, child: Child): Promise<UserError[]> {
  const { addChore } = await hearth.request(
    `mutation ($input: AddChoreInput!) { addChore(input: $input) { userErrors { field code message } } }`,
    { input: { name, assigneeIds: [child.id] } },
  );
  return addChore.userErrors;
}

export async function finish(hearth: Hearth, chore: Chore, child: Child, points: number): Promise<UserError[]> {
  const { assignPoints } = await hearth.request(
    `mutation ($input: AssignPointsInput!) { assignPoints(input: $input) { userErrors { field code message } } }`,
    { input: { childId: child.id, chores: [{ choreId: chore.id, points }] } },
  );
  return assignPoints.userErrors;
}

// One line of text for each change in the family, from `onBegin` on.
export async function* changes(hearth: Hearth, onBegin = async () => {}): AsyncGenerator<string> {
  const events = hearth.subscribe(`subscription {
    familyChanged {
      __typename
      ... on ChoreChanged { chore { name status } }
      ... on PointsAssigned { child { name points } }
    }
  }`, {}, onBegin);
  for await (const { familyChanged: event } of events) {
    if (event.__typename === "ChoreChanged") yield `${event.chore.name}: ${event.chore.status}`;
    else if (event.__typename === "PointsAssigned") yield `${event.child.name} has ${event.child.points} points`;
    else yield event.__typename;
  }
}
