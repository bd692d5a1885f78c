// The outbox of messages: each message is delivered exactly once.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Fault } from "../../../src/protocol/wire/fault.ts";
import { createMessageOutbox, type PostMessage } from "../../../src/web/features/conversations/state/message-outbox.ts";
import type { OutgoingMessage } from "../../../src/web/features/conversations/state/conversation-context.ts";

const hello = { message: "Hello" };
const thread = (thread_id: string, query: string) => ({ thread_id, query, status: "open" as const });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", createStorage());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Stores its entries as own properties, like the localStorage of a browser. */
function createStorage(): Storage {
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, value: string) => void (entries[key] = value),
    removeItem: (key: string) => void delete entries[key],
  };
  const entries: Record<string, string> = Object.create(methods) as Record<string, string>;
  return entries as unknown as Storage;
}

/** Creates a server that gives these replies and executes each command id once. */
function createServer(...answers: readonly (Error | "lost")[]) {
  const remaining = [...answers];
  const carriedOut = new Map<string, { thread_id: string; message: string }>();
  const receivedIds: string[] = [];
  const post: PostMessage = (_conversation, id, { message }) => {
    receivedIds.push(id);
    const reply = remaining.shift();
    if (reply instanceof Error) return Promise.reject(reply);
    const accepted = carriedOut.get(id) ?? { thread_id: `th-${carriedOut.size + 1}`, message };
    carriedOut.set(id, accepted);
    return reply === "lost" ? Promise.reject(new Fault("unavailable", "Gone")) : Promise.resolve(accepted);
  };
  return {
    post,
    receivedIds,
    threads: () => [...carriedOut.values()].map(({ thread_id, message }) => thread(thread_id, message)),
  };
}

const waitForDeliveries = () => vi.advanceTimersByTimeAsync(60_000);
const formatMessages = (messages: readonly OutgoingMessage[]) =>
  messages.map(({ text, status }) => `${text} ${status}`);

describe("message outbox", () => {
  test("shows a message as sending until its thread exists, in either order of reply and event", async () => {
    const { post, threads } = createServer();
    const outbox = createMessageOutbox("conv", post);
    outbox.send(hello, 0);
    expect(formatMessages(outbox.listPending([]))).toEqual(["Hello sending"]);
    expect(outbox.listPending([thread("th-1", "Hello")])).toEqual([]);
    await waitForDeliveries();
    expect(formatMessages(outbox.listPending([]))).toEqual(["Hello sending"]);
    expect(outbox.listPending(threads())).toEqual([]);
  });

  test("does not match a message with an earlier thread of the same text", async () => {
    const outbox = createMessageOutbox("conv", createServer().post);
    outbox.send(hello, 1);
    expect(formatMessages(outbox.listPending([thread("th-0", "Hello")]))).toEqual(["Hello sending"]);
    await waitForDeliveries();
  });

  test("[T2] resends a message under the same id after network errors, which creates one thread", async () => {
    const { post, receivedIds, threads } = createServer(new Fault("unavailable", "Offline"), "lost", "lost");
    const outbox = createMessageOutbox("conv", post);
    outbox.send(hello, 0);
    await waitForDeliveries();
    expect(receivedIds).toHaveLength(4);
    expect(new Set(receivedIds).size).toBe(1);
    expect(threads()).toHaveLength(1);
    expect(outbox.listPending(threads())).toEqual([]);
    expect(Object.keys(localStorage)).toEqual([]);
  });

  test("[T2] resends a message with the same id after a reload", async () => {
    const { post, receivedIds, threads } = createServer("lost");
    createMessageOutbox("conv", post).send(hello, 0);
    await vi.advanceTimersByTimeAsync(1);
    const next = createMessageOutbox("conv", post);
    expect(formatMessages(next.listPending([]))).toEqual(["Hello sending"]);
    next.pump();
    await waitForDeliveries();
    expect(new Set(receivedIds).size).toBe(1);
    expect(threads()).toHaveLength(1);
    expect(Object.keys(localStorage)).toEqual([]);
  });

  test("keeps a rejected message with the reason, also after a reload, until it is retried", async () => {
    const { post, threads } = createServer(new Fault("too_many_requests", "Too many."));
    const outbox = createMessageOutbox("conv", post);
    outbox.send(hello, 0);
    await waitForDeliveries();
    expect(outbox.listPending([])).toMatchObject([{ status: "failed", reason: "Too many." }]);
    const next = createMessageOutbox("conv", post);
    const [refused] = next.listPending([]);
    expect(refused).toMatchObject({ status: "failed", reason: "Too many." });
    next.retry(refused?.key ?? "");
    await waitForDeliveries();
    expect(threads()).toHaveLength(1);
    expect(next.listPending(threads())).toEqual([]);
  });

  test("returns the text of a discarded message and forgets it", async () => {
    const outbox = createMessageOutbox("conv", createServer(new Fault("too_large", "Too long.")).post);
    outbox.send(hello, 0);
    await waitForDeliveries();
    expect(outbox.discard(outbox.listPending([])[0]?.key ?? "")).toBe("Hello");
    expect(outbox.listPending([])).toEqual([]);
    expect(Object.keys(localStorage)).toEqual([]);
  });
});

describe("outbox with several messages", () => {
  test("keeps the order after a failure", async () => {
    const { post, threads } = createServer(new Fault("unavailable", "Offline"));
    const outbox = createMessageOutbox("conv", post);
    for (const message of ["one", "two", "three"]) outbox.send({ message }, 0);
    await waitForDeliveries();
    expect(threads().map(({ query }) => query)).toEqual(["one", "two", "three"]);
  });

  test("sends one message at a time", async () => {
    const answers: (() => void)[] = [];
    const post: PostMessage = () => new Promise((resolve) => answers.push(() => resolve({ thread_id: "th" })));
    const outbox = createMessageOutbox("conv", post);
    for (const message of ["one", "two"]) outbox.send({ message }, 0);
    outbox.pump();
    expect(answers).toHaveLength(1);
    answers[0]?.();
    await waitForDeliveries();
    expect(answers).toHaveLength(2);
  });

  test("holds messages while a question is open and sends them once it is answered", async () => {
    const { post, receivedIds } = createServer();
    const outbox = createMessageOutbox("conv", post);
    let isQuestionOpen = true;
    outbox.setSendCondition(() => !isQuestionOpen);
    outbox.send(hello, 0);
    await waitForDeliveries();
    expect(receivedIds).toEqual([]);
    isQuestionOpen = false;
    outbox.pump();
    await waitForDeliveries();
    expect(receivedIds).toHaveLength(1);
  });

  test("is separate for each conversation", () => {
    createMessageOutbox("conv-1", () => new Promise(() => {})).send(hello, 0);
    expect(createMessageOutbox("conv-2", createServer().post).listPending([])).toEqual([]);
  });
});
