// Example queries. `variables` creates their values from the result of `lookup` if a user is signed in, and otherwise from
// placeholders.

const someChild = "id-of-a-child";
const someChore = "id-of-a-chore";

/** A day from now, to the hour. */
const tomorrow = (hour) => {
  const date = new Date(Date.now() + 86_400_000);
  date.setHours(hour, 0, 0, 0);
  return date.toISOString().replace(".000", "");
};

export const examples = [
  {
    title: "Dashboard",
    about: "Every child, with points and rewards",
    query: `query Dashboard {
  family {
    name
    children {
      name
      avatar { url placeholder }
      points
      achievementPoints
      rewardLevel { level reward }
      contract { maxPoints progress }
    }
  }
}
`,
  },
  {
    title: "Register",
    about: "A new account with a family of its own",
    query: `mutation Register($input: RegisterInput!) {
  register(input: $input) {
    credentials {
      accessToken
      expiresAt
    }
    userErrors {
      field
      code
      message
    }
  }
}
`,
    variables: () => ({ input: { email: "you@example.com", password: "", name: "Your Name", dateOfBirth: "1990-01-31" } }),
  },
  {
    title: "Who am I?",
    about: "The signed-in parent or child",
    query: `query Viewer {
  viewer {
    __typename
    ... on Account {
      name
      email
    }
    ... on Child {
      name
      username
      points
    }
  }
}
`,
  },
  {
    title: "Chores",
    about: "Most urgent first, a page at a time",
    query: `query Chores($first: Int = 10, $after: String) {
  family {
    chores(first: $first, after: $after) {
      totalCount
      nodes {
        id
        name
        priority
        dueAt
        status
        frequency
        assignees { name }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}
`,
    variables: () => ({ first: 10 }),
  },
  {
    title: "Add a child",
    about: "Name and age; the rest has defaults",
    query: `mutation AddChild($input: AddChildInput!) {
  addChild(input: $input) {
    child { id name username age theme }
    userErrors { field code message }
  }
}
`,
    variables: () => ({ input: { name: "Juno", birth: { age: 8 }, theme: "OCEAN" } }),
  },
  {
    title: "Add a chore",
    about: "Due tomorrow, for one child",
    lookup: "{ family { children { id } } }",
    query: `mutation AddChore($input: AddChoreInput!) {
  addChore(input: $input) {
    chore {
      id
      name
      priority
      dueAt
      frequency
      assignees { name }
    }
    userErrors { field code message }
  }
}
`,
    variables: (found) => ({
      input: {
        name: "Feed the cat",
        priority: 8,
        dueAt: tomorrow(17),
        frequency: "DAILY",
        assigneeIds: [found?.family?.children?.[0]?.id ?? someChild],
      },
    }),
  },
  {
    title: "Assign points",
    about: "1 to 3 for each chore a child has done",
    lookup: "{ family { children { id } chores(first: 2) { nodes { id } } } }",
    query: `mutation AssignPoints($input: AssignPointsInput!) {
  assignPoints(input: $input) {
    child {
      name
      points
      achievementPoints
      rewardLevel { level reward }
    }
    finishedChores { points chore { name } }
    userErrors { field code message }
  }
}
`,
    variables: (found) => {
      const chores = found?.family?.chores?.nodes ?? [];
      const ids = chores.length > 0 ? chores.map(({ id }) => id) : [someChore];
      return {
        input: {
          childId: found?.family?.children?.[0]?.id ?? someChild,
          chores: ids.map((choreId, place) => ({ choreId, points: 3 - place })),
        },
      };
    },
  },
  {
    title: "Make a contract",
    about: "Rewards a child works towards",
    lookup: "{ family { children { id } } }",
    query: `mutation MakeContract($input: MakeContractInput!) {
  makeContract(input: $input) {
    contract {
      maxPoints
      progress
      levels { level points reward reached }
    }
    userErrors { field code message }
  }
}
`,
    variables: (found) => ({
      input: {
        childId: found?.family?.children?.[0]?.id ?? someChild,
        description: "A good autumn",
        maxPoints: 60,
        levels: [
          { points: 10, reward: "An ice cream" },
          { points: 20, reward: "A film night" },
          { points: 30, reward: "A day at the lake" },
        ],
      },
    }),
  },
  {
    title: "Add a thing",
    about: "With a photo: choose it under Files",
    query: `mutation AddItem($input: AddItemInput!) {
  addItem(input: $input) {
    item { id name photo { url placeholder } }
    userErrors { field code message }
  }
}
`,
    variables: () => ({ input: { name: "Tent" } }),
  },
  {
    title: "Follow the family",
    about: "Live: what anybody changes, as it happens",
    query: `subscription FollowTheFamily {
  familyChanged {
    __typename
    ... on ChildChanged { child { name } }
    ... on ChoreChanged { chore { name status } }
    ... on PointsAssigned { child { name points } }
    ... on ItemChanged { item { name } }
  }
}
`,
  },
  {
    title: "Address book",
    about: "Contacts, and what they share",
    query: `query AddressBook($search: String) {
  viewer {
    ... on Account {
      contacts(query: $search) {
        totalCount
        nodes {
          person { ...Entry }
          sharing
          sharedWithViewer
        }
      }
    }
  }
}

fragment Entry on Person {
  name
  company
  currentCity
  contactInfo { scope kind label email }
}
`,
    variables: () => ({ search: null }),
  },
];
