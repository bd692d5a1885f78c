// One conversation, and many, through all doors at once: with the official clients, over kills, stops and clients that go.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConversationInfo } from "../../../src/protocol/wire/conversation-info.ts";
import { askingWith } from "../../support/asking.ts";
import { eventsOf, textOf } from "../../support/person.ts";
import { plainSocket } from "../../support/plain-socket.ts";
import { startStage, type Stage } from "./agui-stage.ts";
import { doorsOf, type Door } from "./together-doors.ts";

let stage: Stage;
let doors: Readonly<Record<string, Door>>;

beforeAll(async () => {
  stage = await startStage();
  doors = doorsOf(stage.runtime.url);
});
afterAll(() => stage.stop());

const NAMES = ["Orrery's own", "A2A", "AG-UI", "MCP", "OpenAI"] as const;
type Name = (typeof NAMES)[number];

const door = (name: Name): Door => {
  const found = doors[name];
  if (found === undefined) throw new Error(`There is no door ${name}.`);
  return found;
};

/** A message that is answered with this. */
const saying = (text: string, paceMs = 0): string => `Say ${stage.model.act({ triage: { text, paceMs } })}`;

/** A conversation that there is, with one thing said in it. */
async function conversation(): Promise<string> {
  const id = `conv-${crypto.randomUUID()}`;
  const sent = await stage.person.request("POST", "/api/v1/messages", {
    message: saying("Begun."),
    conversation_id: id,
  });
  expect(sent.status).toBe(202);
  await settled(id);
  return id;
}

const statusOf = async (id: string) => (await stage.person.get<ConversationInfo>(`/api/v1/conversations/${id}`)).status;

async function settled(id: string): Promise<void> {
  await expect.poll(() => statusOf(id), { timeout: 20_000 }).toBe("completed");
}

test("each door is told what was said through the others", async () => {
  const id = await conversation();
  const said: string[] = ["Begun."];
  for (const name of NAMES) {
    const mark = stage.model.act({ triage: { text: `It was ${name}.` } });
    const heard = await door(name)(`Who? ${mark}`, { conversation: id });
    expect(heard).toEqual({ text: `It was ${name}.`, end: "completed" });
    const known = stage.model.callsOf(mark, "triage")[0]?.request.messages ?? [];
    expect(known.filter(({ role }) => role === "assistant").map(({ content }) => content)).toEqual(said);
    said.push(heard.text);
  }
  expect(textOf(await stage.person.history(id))).toBe(said.join(""));
});

describe("a question", () => {
  test.each(NAMES.map((asker, i) => [asker, NAMES[(i + 1) % NAMES.length] ?? asker] as const))(
    "asked through %s is answered through %s",
    async (asker, answerer) => {
      const id = await conversation();
      const { message } = askingWith(stage.model, "How much?");
      const asked = await door(asker)(message, { conversation: id });
      // A completion of OpenAI ends like any other.
      expect(asked.end).toBe(asker === "OpenAI" ? "completed" : "asked");
      const answered = await door(answerer)("20", { conversation: id });
      expect(answered).toEqual({ text: expect.stringContaining("It is paid.") as string, end: "completed" });
      const frames = await stage.person.history(id);
      expect(eventsOf(frames, "message").filter(({ role }) => role === "user")).toHaveLength(1);
    },
  );
});

test("what was begun through each door is stopped through a socket, and each hears so", async () => {
  for (const name of NAMES) {
    const id = await conversation();
    const words = saying("word ".repeat(400), 20);
    const heard = door(name)(words, { conversation: id });
    const socket = await plainSocket(stage.runtime.url, id);
    await socket.until(
      (frame) => "event" in frame && frame.event === "message_chunk" && frame.data.payload.content === "word ",
    );
    socket.socket.send(JSON.stringify({ type: "cancel", id: "stop" }));
    const { text, end } = await heard;
    expect(text.length).toBeLessThan(2_000);
    expect([name, end]).toEqual([name, "cancelled"]);
    socket.close();
  }
});

test("[F13] who goes away in mid-stream, through whichever door, stops nothing", async () => {
  const text = Array.from({ length: 60 }, (_, i) => `w${i} `).join("");
  await Promise.all(
    NAMES.map(async (name) => {
      const id = await conversation();
      const left = new AbortController();
      const mark = stage.model.act({ triage: { text, paceMs: 20 } });
      const gone = door(name)(`Count ${mark}`, { conversation: id, left: left.signal }).catch(() => "gone");
      await expect.poll(() => stage.model.callsOf(mark).length, { timeout: 10_000 }).toBe(1);
      left.abort();
      await gone;
      await settled(id);
      expect([name, textOf(await stage.person.history(id))]).toEqual([name, `Begun.${text}`]);
    }),
  );
});

test("[T2] the host dies in mid-stream, and each comes back with the same message and hears it whole", async () => {
  const text = Array.from({ length: 60 }, (_, i) => `w${i} `).join("");
  const begun = await Promise.all(
    NAMES.map(async (name) => {
      const saying = { conversation: await conversation(), id: crypto.randomUUID() };
      const mark = stage.model.act({ triage: { text, paceMs: 25 } });
      const words = `Count ${mark}`;
      const left = new AbortController();
      const broken = door(name)(words, { ...saying, left: left.signal }).catch(() => "broken");
      return { name, saying, words, mark, broken, left };
    }),
  );
  for (const { mark } of begun) await expect.poll(() => stage.model.callsOf(mark).length, { timeout: 10_000 }).toBe(1);
  await stage.runtime.kill();
  // The client of MCP waits for a stream that has broken.
  for (const { left } of begun) left.abort();
  await Promise.all(begun.map(({ broken }) => broken));
  await stage.runtime.restart();
  await Promise.all(
    begun.map(async ({ name, saying, words }) => {
      expect([name, await door(name)(words, saying)]).toEqual([name, { text, end: "completed" }]);
      const frames = await stage.person.history(saying.conversation);
      expect(eventsOf(frames, "thread_started").filter(({ payload }) => payload.content === words)).toHaveLength(1);
    }),
  );
});

test("fifty at once, ten through each door, hear what each was to hear", async () => {
  const all = NAMES.flatMap((name) =>
    Array.from({ length: 10 }, (_, i) => ({ name, text: `${name} and ${i}, word by word.` })),
  );
  const heard = await Promise.all(all.map(({ name, text }) => door(name)(saying(text, 5))));
  expect(heard).toEqual(all.map(({ text }) => ({ text, end: "completed" })));
});
