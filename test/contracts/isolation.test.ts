// [U1] No user can read, answer, cancel or even detect anything of another user, through any door: a request with an id
// of another user gets the response to an id that does not exist, except for the id itself, and has the same effects.
//
// Bob sends every guess with the ids of Ada, and Carol sends it with ids that nobody has. Both own things of each kind.

import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { app, routeDescriptions } from "../../src/http/http-app.ts";
import { signToken } from "../http/tokens.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import type { ApiUser } from "../support/api-user.ts";
import { readBody } from "../support/net.ts";
import { DOOR_NAMES, DOORS, request } from "./doors.ts";
import type { Guess, Guesser } from "./guesses/guess.ts";
import { listGuesses } from "./guesses/list-guesses.ts";
import { createOwnedData, UNUSED_IDS, type OwnedIds } from "./owned-data.ts";
import { createUser, scriptAnswer, startContractSetup, type Setup } from "./setup.ts";

type User = Guesser & { readonly api: ApiUser };

let setup: Setup;
let ada: User;
let bob: User;
let carol: User;
let agents: readonly A2AAgent[];
let before: string;
let callsBefore: number;

/** A word in all texts of each user. */
const WORDS = ["secret", "bobish", "carols"];

/** Creates a user with things of each kind, whose texts contain the word. */
async function createOwner(name: string, agent: A2AAgent): Promise<User> {
  const user = await createUser(setup, name);
  return { setup, ...user, own: await createOwnedData(setup, user, agent, name) };
}

beforeAll(async () => {
  setup = await startContractSetup();
  agents = await Promise.all(
    WORDS.map((word) =>
      startA2AAgent(`${word}-parrot`, "1.0", async function* (query) {
        yield await Promise.resolve(query);
      }),
    ),
  );
  const [first, second, third] = agents as [A2AAgent, A2AAgent, A2AAgent];
  [ada, bob, carol] = await Promise.all([
    createOwner("secret", first),
    createOwner("bobish", second),
    createOwner("carols", third),
  ]);
  before = await readOwnedData(ada);
  callsBefore = setup.model.calls.length;
});
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
});

/** Reads everything that a user owns. */
async function readOwnedData({ name, own }: User): Promise<string> {
  const paths = [
    ...[own.conversation, own.sub, own.analysis].flatMap((id) =>
      ["", "/events", "/context"].map((rest) => `conversations/${id}${rest}`),
    ),
    `tasks/${own.task}`,
    `schedules/${own.schedule}`,
    `plan-templates/${own.template}`,
    `plan-instances/${own.instance}`,
    `datasets/${own.dataset}`,
    `tools/${own.tool}`,
    `pages/${own.page}`,
    `pages/${own.page}/links`,
    `agents/${own.agent}`,
    "agents/assistant",
  ];
  const texts = await Promise.all(
    paths.map(async (path) => (await request(setup, name, "GET", `/api/v1/${path}`)).text),
  );
  return texts.join("\n");
}

/** Replaces everything in a text that differs between two users who do the same: ids, times and names. */
function mask(text: string, { name, own }: Guesser, ids: OwnedIds): string {
  const known = [...Object.entries(ids), ...Object.entries(own).map(([kind, id]) => [`own ${kind}`, id] as const)];
  const byLength = known.toSorted(([, a], [, b]) => b.length - a.length);
  return [...byLength, ["user", name] as const]
    .reduce((masked, [kind, id]) => masked.replaceAll(id, `<${kind}>`), text)
    .replaceAll(/[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<random>")
    .replaceAll(/\b1[78]\d{8}(?:\d{3})?\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/"(?:duration|execution_time|duration_ms)":[\d.]+/g, "<duration>")
    .replaceAll(/bobish|carols/gi, "<word>")
    .replaceAll(/127\.0\.0\.1:\d+/g, "<host>")
    .replaceAll(/⟦\w+⟧/g, "<mark>");
}

/** Returns the index at which two texts begin to differ, and a few characters before it. */
function firstDifference(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index += 1;
  return Math.max(0, index - 60);
}

/** Returns what differs between the response to Ada's ids and the one to ids that nobody has; null if nothing does. */
async function findDifference(guess: Guess): Promise<string | null> {
  const [foreign, unused] = await Promise.all([
    guess.send(bob, ada.own).then((text) => mask(text, bob, ada.own)),
    guess.send(carol, UNUSED_IDS).then((text) => mask(text, carol, UNUSED_IDS)),
  ]);
  const name = `${guess.door}: ${guess.operation} ${guess.form ?? ""}`;
  if (foreign !== unused)
    return `${name}\n  foreign: ${foreign.slice(firstDifference(foreign, unused), firstDifference(foreign, unused) + 300)}\n  unused:  ${unused.slice(firstDifference(foreign, unused), firstDifference(foreign, unused) + 300)}`;
  return foreign.includes("secret") ? `${name} reveals ${foreign.slice(0, 600)}` : null;
}

const GUESSES = listGuesses();
const GUESSED_DOORS = Map.groupBy(GUESSES, ({ door }) => door);

test.each([...GUESSED_DOORS])(
  "[U1] [H3] %s: a foreign id gets the response to an unknown one, for every operation",
  async (_, guesses) => {
    const differences: string[] = [];
    for (const guess of guesses) {
      const difference = await findDifference(guess);
      if (difference !== null) differences.push(difference);
    }
    expect(differences).toEqual([]);
  },
  120_000,
);

/** The routes of protocols whose operations are not routes (`listGuesses` has their tables), and of the sign-in, whose codes and tokens are secrets. */
const PROTOCOL_ROUTES = /^\/(?:a2a|agui|mcp|oauth)(?:\/|$)|^\/\.well-known\/|^\/v1\/\*$|^\/\*$/;

test("[U1] every route belongs to a door", () => {
  const described = new Set(routeDescriptions.map(({ path }) => path.replaceAll(/\{\w+\}(\.\w+)?/g, ":")));
  const toForm = (path: string) => path.replaceAll(/:\w+(?:\{[^}]*\})?/g, ":");
  const unknown = app.routes
    .map(({ path }) => path)
    .filter((path) => !described.has(toForm(path)) && !PROTOCOL_ROUTES.test(path));
  expect([...new Set(unknown)]).toEqual([]);
});

test("[U1] a socket of a foreign conversation is refused like one of an unknown conversation", async () => {
  for (const kind of ["conversation", "sub"] as const) {
    const foreign = await requestUpgrade(bob, ada.own[kind]);
    expect(foreign).toBe(await requestUpgrade(carol, UNUSED_IDS[kind]));
    expect(foreign).toMatch(/^404 /);
  }
});

/** Resolves with the status and the text of the response to a refused upgrade request. */
async function requestUpgrade({ name }: User, conversation: string): Promise<string> {
  const authorization = `Bearer ${await signToken({ sub: name })}`;
  const headers = { authorization, upgrade: "websocket", connection: "upgrade" };
  const url = `${setup.runtime.url}/api/v1/conversations/${conversation}/ws`;
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      void readBody(response).then((text) => resolve(`${response.statusCode} ${text}`));
    })
      .on("error", reject)
      .on("upgrade", (_, socket) => {
        socket.destroy();
        resolve("101");
      });
  });
}

/** The lists of everything that a user owns. */
const LISTS = [
  "conversations",
  "schedules",
  "plan-templates",
  "plan-instances",
  "datasets",
  "tools",
  "pages",
  "agents",
];

async function readLists(user: User, ids: OwnedIds): Promise<readonly string[]> {
  const lists = await Promise.all(
    LISTS.map(async (path) => {
      const { text } = await request(
        setup,
        user.name,
        "GET",
        `/api/v1/${path}${path === "agents" || path === "datasets" ? "" : "?limit=100"}`,
      );
      const [entries = []] = Object.values(JSON.parse(text) as Record<string, unknown[]>);
      return entries.map((entry) => `${path}: ${mask(JSON.stringify(entry), user, ids)}`);
    }),
  );
  const resources = await callMcp(user, "resources/list", {});
  const prompts = await callMcp(user, "prompts/list", {});
  const named = [...(resources + prompts).matchAll(/"(?:name|title|uri|description)":"[^"]*"/g)].map(
    ([member]) => member,
  );
  return [...lists.flat(), ...named.map((member) => mask(member, user, ids))].toSorted();
}

const callMcp = async (user: User, method: string, params: object) =>
  (await request(setup, user.name, "POST", "/mcp", { jsonrpc: "2.0", id: 1, method, params })).text;

test("[U1] guesses have the same effects with foreign ids as with unknown ones", async () => {
  await vi.waitFor(async () => expect(await readLists(bob, ada.own)).toEqual(await readLists(carol, UNUSED_IDS)), {
    timeout: 20_000,
    interval: 500,
  });
  const lists = (await readLists(bob, ada.own)).join("\n");
  for (const kind of Object.keys(UNUSED_IDS)) expect(lists).not.toContain(`"<${kind}>"`);
});

test("[U1] everything of Ada is unchanged after all requests of Bob", async () => {
  // Bob disables an agent that both have.
  expect((await bob.api.request("PATCH", "/api/v1/agents/assistant", { enabled: false })).status).toBe(200);
  expect(await readOwnedData(ada)).toBe(before);
  expect(before).toContain("secret");
  expect(agents[0]?.messages).toEqual([]);
  // No model has read anything of Ada for the others. Ids that Ada has chosen are in their own requests.
  const prompts = setup.model.calls.slice(callsBefore).map(({ request: { messages } }) => JSON.stringify(messages));
  expect(prompts.length).toBeGreaterThan(0);
  expect(prompts.filter((prompt) => /secret(?![-_](?:parrot|plan|tool))/i.test(prompt))).toEqual([]);
});

/** Operations after which the others would find nothing. */
const ENDING = /delete|remove|cancel|unlink|Status|patch \/api\/v1\/(?:agents|plan-templates)|setAgentEnabled/i;
/** Operations that accept a message before they look for its agent, or whose references only inform. */
const INDIFFERENT = [
  "agent of send",
  "agent_id of post /api/v1/plan-templates",
  "agent_id of put /api/v1/plan-templates/{id}",
];

test("every operation has a guess that finds something with the ids of its owner", async () => {
  const found = new Set<string>();
  const guesses = GUESSES.filter(({ operation }) => !ENDING.test(operation) && !INDIFFERENT.includes(operation));
  const toName = ({ door, operation }: Guess) => `${door}: ${operation}`;
  for (const guess of guesses) {
    if (found.has(toName(guess))) continue;
    const [known, unknown] = await Promise.all([
      answerOrOpen(guess.send(ada, ada.own)).then((text) => mask(text, ada, ada.own)),
      answerOrOpen(guess.send(carol, UNUSED_IDS)).then((text) => mask(text, carol, UNUSED_IDS)),
    ]);
    if (known.replaceAll("own ", "") !== unknown.replaceAll("own ", "")) found.add(toName(guess));
  }
  expect([...new Set(guesses.map(toName))].filter((name) => !found.has(name))).toEqual([]);
}, 120_000);

/** Resolves with an answer, or with "open" if it does not end soon because somebody follows something. */
function answerOrOpen(answer: Promise<string>): Promise<string> {
  const open = new Promise<string>((resolve) => setTimeout(() => resolve("open"), 2_000));
  return Promise.race([answer.catch(() => "closed"), open]);
}

describe("[U1] a conversation with the id of another user's", () => {
  test.each(DOOR_NAMES.filter((name) => DOORS[name].opensUnknown || name === "HTTP"))(
    "is a separate one that shares nothing, over %s",
    async (name) => {
      const { conversationId } = await ada.api.sendAndWait(`A secret ${scriptAnswer(setup, "Hers.").mark}`);
      const log = await ada.api.history(conversationId);
      if (!DOORS[name].opensUnknown) {
        const first = { message: scriptAnswer(setup, "Hello.").message, conversation_id: conversationId };
        expect((await bob.api.request("POST", "/api/v1/messages", first)).status).toBe(202);
      }
      const { mark } = scriptAnswer(setup, "His.");
      const reply = await DOORS[name].send(setup, bob.name, { message: `What? ${mark}`, conversation: conversationId });
      expect(reply).toMatchObject({ end: "completed", text: "His." });
      for (const { request: prompt } of setup.model.getCalls(mark))
        expect(JSON.stringify(prompt.messages)).not.toContain("secret");
      expect(await ada.api.history(conversationId)).toEqual(log);
      await bob.api.request("DELETE", `/api/v1/conversations/${conversationId}`);
      expect(await ada.api.history(conversationId)).toEqual(log);
    },
  );
});
