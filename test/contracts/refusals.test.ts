// [F89] A message that is invalid is refused by every door that passes the invalid member on: within a moment, and
// without a thread, an event or a conversation.

import { beforeAll, describe, expect, test } from "vitest";
import type { ApiUser } from "../support/api-user.ts";
import { createConversation, DOOR_NAMES, DOORS, type DoorName } from "./doors.ts";
import { createUser, scriptAnswer, startContractSetup, type Setup } from "./setup.ts";

const createNested = (levels: number): object => (levels === 0 ? {} : { in: createNested(levels - 1) });

type InvalidMembers = Readonly<Record<string, unknown>>;
const INVALID: Readonly<Record<string, InvalidMembers>> = {
  "no message": { message: undefined },
  "a message that is not a string": { message: 7 },
  "an empty message": { message: "" },
  "a blank message": { message: " \n\t" },
  "a message that is too large": { message: "x".repeat(64 * 1_024 + 1) },
  "a message that is too large in multi-byte characters": { message: "汉".repeat(22_000) },
  "an agent that is not a string": { agent: 7 },
  "an agent with a name that is too long": { agent: "x".repeat(129) },
  "a language that is too long": { language: "x".repeat(36) },
  "an invalid language": { language: "english language" },
  "an invalid time zone": { timezone: "Mars/Olympus" },
  "a context that is not an object": { context: "page" },
  "a context that is too deep": { context: createNested(33) },
  "a context that is too large": { context: { page: "x".repeat(64 * 1_024) } },
  "a verify that is not a boolean": { verify: "yes" },
  "an unknown member": { surprise: 1 },
  "an empty id": { id: "" },
  "an id that is too long": { id: "x".repeat(129) },
  "an id that is not a string": { id: 7 },
  "an id with a lone surrogate": { id: "id-\ud800" },
};
const MAX_MS = 5_000;

let setup: Setup;
let ada: { readonly name: string; readonly api: ApiUser };

beforeAll(async () => {
  setup = await startContractSetup();
  ada = await createUser(setup, "ada");
});

/** Returns the invalid members that a door passes on. The A2A parser accepts a number as text. */
function listCases(name: DoorName): [string, InvalidMembers][] {
  const members = new Set(["message", ...DOORS[name].members]);
  return Object.entries(INVALID).filter(
    ([, invalid]) =>
      Object.keys(invalid).every((member) => members.has(member)) &&
      !(name.startsWith("A2A") && Object.values(invalid).includes(7)),
  );
}

describe.each(DOOR_NAMES)("[F89] the door %s", (name) => {
  let conversation: string;
  beforeAll(async () => {
    conversation = await createConversation(setup, ada.name);
  });

  test.each(listCases(name))("refuses %s", async (_, invalid) => {
    const startedAt = Date.now();
    const { mark } = scriptAnswer(setup, "Started.");
    const reply = await DOORS[name].send(setup, ada.name, { message: `hello ${mark}`, ...invalid, conversation });
    expect(reply).toMatchObject({ end: "refused" });
    expect(reply.raw).not.toMatch(/"code":"internal"|\n {4}at /);
    expect(Date.now() - startedAt).toBeLessThan(MAX_MS);
  });

  test("has stored nothing of them, and accepts a valid message", async () => {
    expect((await ada.api.history(conversation)).map(({ event }) => event)).toEqual(["conversation_started"]);
    const { message } = scriptAnswer(setup, "Started.");
    const reply = await DOORS[name].send(setup, ada.name, { message, conversation });
    expect(reply).toMatchObject({ end: "completed", text: "Started." });
  });

  test("creates no conversation for an invalid first message", async () => {
    const { name: user, api } = await createUser(setup, "eve");
    expect(await DOORS[name].send(setup, user, { message: "x".repeat(64 * 1_024 + 1) })).toMatchObject({
      end: "refused",
    });
    const { conversations } = await api.get<{ conversations: { updated_at: number }[] }>("/api/v1/conversations");
    // A socket belongs to a conversation that exists.
    expect(conversations).toHaveLength(name === "socket" ? 1 : 0);
  });
});
