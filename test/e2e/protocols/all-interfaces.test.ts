// Conversations over all interfaces with their official clients, including crashes, cancellations and disconnects.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConversationInfo } from "../../../src/protocol/wire/conversation-info.ts";
import { scriptPlannerQuestions } from "../../support/question-script.ts";
import { filterEvents, joinText } from "../../support/api-user.ts";
import { openTestSocket } from "../../support/test-socket.ts";
import { startAgUiSetup, type AgUiSetup } from "./agui-setup.ts";
import { createInterfaceClients, type SendMessage } from "./interface-clients.ts";

let setup: AgUiSetup;
let clients: Readonly<Record<string, SendMessage>>;

beforeAll(async () => {
  setup = await startAgUiSetup();
  clients = createInterfaceClients(setup.runtime.url);
});
afterAll(() => setup.stop());

const INTERFACES = ["Orrery's own", "A2A", "AG-UI", "MCP", "OpenAI"] as const;
type InterfaceName = (typeof INTERFACES)[number];

const getClient = (name: InterfaceName): SendMessage => {
  const found = clients[name];
  if (found === undefined) throw new Error(`Unknown interface ${name}`);
  return found;
};

/** Creates a message with this scripted answer. */
const createMessage = (text: string, paceMs = 0): string =>
  `Say ${setup.model.addScript({ triage: { text, paceMs } })}`;

/** Creates a conversation with one completed thread. */
async function createConversation(): Promise<string> {
  const id = `conv-${crypto.randomUUID()}`;
  const sent = await setup.user.request("POST", "/api/v1/messages", {
    message: createMessage("Begun."),
    conversation_id: id,
  });
  expect(sent.status).toBe(202);
  await waitForCompletion(id);
  return id;
}

const getStatus = async (id: string) => (await setup.user.get<ConversationInfo>(`/api/v1/conversations/${id}`)).status;

async function waitForCompletion(id: string): Promise<void> {
  await expect.poll(() => getStatus(id), { timeout: 20_000 }).toBe("completed");
}

test("each interface continues the conversation of the others", async () => {
  const id = await createConversation();
  const answers: string[] = ["Begun."];
  for (const name of INTERFACES) {
    const mark = setup.model.addScript({ triage: { text: `It was ${name}.` } });
    const answer = await getClient(name)(`Who? ${mark}`, { conversation: id });
    expect(answer).toEqual({ text: `It was ${name}.`, end: "completed" });
    const promptMessages = setup.model.getCalls(mark, "triage")[0]?.request.messages ?? [];
    expect(promptMessages.filter(({ role }) => role === "assistant").map(({ content }) => content)).toEqual(answers);
    answers.push(answer.text);
  }
  expect(joinText(await setup.user.history(id))).toBe(answers.join(""));
});

describe("question over all interfaces", () => {
  test.each(
    INTERFACES.map(
      (askInterface, i) => [askInterface, INTERFACES[(i + 1) % INTERFACES.length] ?? askInterface] as const,
    ),
  )("asked through %s is answered through %s", async (askInterface, answerInterface) => {
    const id = await createConversation();
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const reply = await getClient(askInterface)(message, { conversation: id });
    // OpenAI completions have no end for questions.
    expect(reply.end).toBe(askInterface === "OpenAI" ? "completed" : "asked");
    const answered = await getClient(answerInterface)("20", { conversation: id });
    expect(answered).toEqual({ text: expect.stringContaining("It is paid.") as string, end: "completed" });
    const frames = await setup.user.history(id);
    expect(filterEvents(frames, "message").filter(({ role }) => role === "user")).toHaveLength(1);
  });
});

test("a thread of each interface is cancelled over a socket and reported as cancelled", async () => {
  for (const name of INTERFACES) {
    const id = await createConversation();
    const message = createMessage("word ".repeat(400), 20);
    const answer = getClient(name)(message, { conversation: id });
    const socket = await openTestSocket(setup.runtime.url, id);
    await socket.waitFor(
      (frame) => "event" in frame && frame.event === "message_chunk" && frame.data.payload.content === "word ",
    );
    socket.socket.send(JSON.stringify({ type: "cancel", id: "stop" }));
    const { text, end } = await answer;
    expect(text.length).toBeLessThan(2_000);
    expect([name, end]).toEqual([name, "cancelled"]);
    socket.close();
  }
});

test("[F13] a client of any interface that disconnects during the stream does not stop its thread", async () => {
  const text = Array.from({ length: 60 }, (_, i) => `w${i} `).join("");
  await Promise.all(
    INTERFACES.map(async (name) => {
      const id = await createConversation();
      const leave = new AbortController();
      const mark = setup.model.addScript({ triage: { text, paceMs: 20 } });
      const abortedSend = getClient(name)(`Count ${mark}`, { conversation: id, signal: leave.signal }).catch(
        () => "gone",
      );
      await expect.poll(() => setup.model.getCalls(mark).length, { timeout: 10_000 }).toBe(1);
      leave.abort();
      await abortedSend;
      await waitForCompletion(id);
      expect([name, joinText(await setup.user.history(id))]).toEqual([name, `Begun.${text}`]);
    }),
  );
});

test("fifty concurrent requests, ten per interface, get their own answers", async () => {
  const requests = INTERFACES.flatMap((name) =>
    Array.from({ length: 10 }, (_, i) => ({ name, text: `${name} and ${i}, word by word.` })),
  );
  const answer = await Promise.all(requests.map(({ name, text }) => getClient(name)(createMessage(text, 5))));
  expect(answer).toEqual(requests.map(({ text }) => ({ text, end: "completed" })));
});
