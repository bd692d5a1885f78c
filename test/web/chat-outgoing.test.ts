// Messages on their way: none is lost, and none is sent as two.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { createMessageOutbox, type PostMessage } from "../../src/web/chat/message-outbox.ts";
import type { OutgoingMessage } from "../../src/web/chat/conversation-context.ts";

const hello = { message: "Hello" };
const thread = (thread_id: string, query: string) => ({ thread_id, query, status: "open" as const });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", storage());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Keeps its entries as own properties, as a browser's does. */
function storage(): Storage {
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, value: string) => void (entries[key] = value),
    removeItem: (key: string) => void delete entries[key],
  };
  const entries: Record<string, string> = Object.create(methods) as Record<string, string>;
  return entries as unknown as Storage;
}

/** A server that answers as told, and carries an id out once. */
function server(...answers: readonly (Error | "lost")[]) {
  const left = [...answers];
  const carriedOut = new Map<string, { thread_id: string; message: string }>();
  const asked: string[] = [];
  const post: PostMessage = (_conversation, id, { message }) => {
    asked.push(id);
    const answer = left.shift();
    if (answer instanceof Error) return Promise.reject(answer);
    const known = carriedOut.get(id) ?? { thread_id: `th-${carriedOut.size + 1}`, message };
    carriedOut.set(id, known);
    return answer === "lost" ? Promise.reject(new Fault("unavailable", "Gone")) : Promise.resolve(known);
  };
  return {
    post,
    asked,
    threads: () => [...carriedOut.values()].map(({ thread_id, message }) => thread(thread_id, message)),
  };
}

const settle = () => vi.advanceTimersByTimeAsync(60_000);
const texts = (shown: readonly OutgoingMessage[]) => shown.map(({ text, status }) => `${text} ${status}`);

describe("a message", () => {
  test("is shown as sending until its thread is there, whichever is told first", async () => {
    const { post, threads } = server();
    const outbox = createMessageOutbox("conv", post);
    outbox.send(hello, 0);
    expect(texts(outbox.listPending([]))).toEqual(["Hello sending"]);
    expect(outbox.listPending([thread("th-1", "Hello")])).toEqual([]);
    await settle();
    expect(texts(outbox.listPending([]))).toEqual(["Hello sending"]);
    expect(outbox.listPending(threads())).toEqual([]);
  });

  test("is not taken for the same words that were said before", async () => {
    const outbox = createMessageOutbox("conv", server().post);
    outbox.send(hello, 1);
    expect(texts(outbox.listPending([thread("th-0", "Hello")]))).toEqual(["Hello sending"]);
    await settle();
  });

  test("[T2] is sent again under its id when nobody could be reached, and makes one thread", async () => {
    const { post, asked, threads } = server(new Fault("unavailable", "Offline"), "lost", "lost");
    const outbox = createMessageOutbox("conv", post);
    outbox.send(hello, 0);
    await settle();
    expect(asked).toHaveLength(4);
    expect(new Set(asked).size).toBe(1);
    expect(threads()).toHaveLength(1);
    expect(outbox.listPending(threads())).toEqual([]);
    expect(Object.keys(localStorage)).toEqual([]);
  });

  test("[T2] outlives the page, with the same id", async () => {
    const { post, asked, threads } = server("lost");
    createMessageOutbox("conv", post).send(hello, 0);
    await vi.advanceTimersByTimeAsync(1);
    const next = createMessageOutbox("conv", post);
    expect(texts(next.listPending([]))).toEqual(["Hello sending"]);
    next.pump();
    await settle();
    expect(new Set(asked).size).toBe(1);
    expect(threads()).toHaveLength(1);
    expect(Object.keys(localStorage)).toEqual([]);
  });

  test("that is refused stays with its reason, also over a reload, until it is tried again", async () => {
    const { post, threads } = server(new Fault("too_many_requests", "Too many."));
    const outbox = createMessageOutbox("conv", post);
    outbox.send(hello, 0);
    await settle();
    expect(outbox.listPending([])).toMatchObject([{ status: "failed", reason: "Too many." }]);
    const next = createMessageOutbox("conv", post);
    const [refused] = next.listPending([]);
    expect(refused).toMatchObject({ status: "failed", reason: "Too many." });
    next.retry(refused?.key ?? "");
    await settle();
    expect(threads()).toHaveLength(1);
    expect(next.listPending(threads())).toEqual([]);
  });

  test("that is let go gives its text back and is forgotten", async () => {
    const outbox = createMessageOutbox("conv", server(new Fault("too_large", "Too long.")).post);
    outbox.send(hello, 0);
    await settle();
    expect(outbox.discard(outbox.listPending([])[0]?.key ?? "")).toBe("Hello");
    expect(outbox.listPending([])).toEqual([]);
    expect(Object.keys(localStorage)).toEqual([]);
  });
});

describe("several messages", () => {
  test("keep their order over failures", async () => {
    const { post, threads } = server(new Fault("unavailable", "Offline"));
    const outbox = createMessageOutbox("conv", post);
    for (const message of ["one", "two", "three"]) outbox.send({ message }, 0);
    await settle();
    expect(threads().map(({ query }) => query)).toEqual(["one", "two", "three"]);
  });

  test("are never two on their way", async () => {
    const answers: (() => void)[] = [];
    const post: PostMessage = () => new Promise((resolve) => answers.push(() => resolve({ thread_id: "th" })));
    const outbox = createMessageOutbox("conv", post);
    for (const message of ["one", "two"]) outbox.send({ message }, 0);
    outbox.pump();
    expect(answers).toHaveLength(1);
    answers[0]?.();
    await settle();
    expect(answers).toHaveLength(2);
  });

  test("wait while a question is open, and go once it is answered", async () => {
    const { post, asked } = server();
    const outbox = createMessageOutbox("conv", post);
    let isAsked = true;
    outbox.setSendCondition(() => !isAsked);
    outbox.send(hello, 0);
    await settle();
    expect(asked).toEqual([]);
    isAsked = false;
    outbox.pump();
    await settle();
    expect(asked).toHaveLength(1);
  });

  test("of one conversation are not those of another", () => {
    createMessageOutbox("conv-1", () => new Promise(() => {})).send(hello, 0);
    expect(createMessageOutbox("conv-2", server().post).listPending([])).toEqual([]);
  });
});
