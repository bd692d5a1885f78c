import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { CommandRefused } from "../../src/client/command-outbox.ts";
import { EMPTY_VIEW, listThreadItems, type ConversationView } from "../../src/protocol/wire/view.ts";
import { getItemText } from "../../src/protocol/wire/items.ts";
import {
  waitUntilCaughtUp,
  cleanUp,
  foldLog,
  openClient,
  startPair,
  QUICK_TIMING,
  startTestServer,
  getViewState,
} from "./client-pair.ts";
import { createAnswerThread } from "./scripted-server.ts";

test("[L2] a connected client receives the events of the log", async () => {
  const { server, client, frames } = await startPair();
  const ack = await client.send("hello");
  await waitUntilCaughtUp(client, server);
  expect(ack).toMatchObject({ type: "ack", thread_id: "th-1", seq: 1 });
  expect(frames).toEqual(server.log);
  expect(getViewState(client.view)).toEqual(getViewState(foldLog(server.log)));
  expect(listThreadItems(client.view, "th-1").map(getItemText)).toEqual(["hello", "You said hello"]);
});

test("[L2] duplicate frames are applied once", async () => {
  const { server, client, frames } = await startPair();
  server.misbehavior.repeats = true;
  await client.send("twice");
  await waitUntilCaughtUp(client, server);
  expect(frames).toEqual(server.log);
  expect(listThreadItems(client.view, "th-1").map(getItemText)).toEqual(["twice", "You said twice"]);
});

test("[L2] [T2] connections that break at any point lose and duplicate nothing, and create one thread per message", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 12 }),
      fc.boolean(),
      async (cuts, repeats) => {
        const { server, client, frames } = await startPair();
        const plan = [...cuts];
        let remaining = plan.shift();
        server.misbehavior.repeats = repeats;
        server.misbehavior.cut = () => {
          if (remaining === undefined) return false;
          remaining -= 1;
          if (remaining >= 0) return false;
          remaining = plan.shift();
          return true;
        };
        const acks = await Promise.all(["one", "two", "three"].map((message) => client.send(message)));
        await waitUntilCaughtUp(client, server);
        expect(frames).toEqual(server.log);
        expect(getViewState(client.view)).toEqual(getViewState(foldLog(server.log)));
        expect(client.view.threads.map((thread) => thread.query)).toEqual(["one", "two", "three"]);
        expect(new Set(acks.map((ack) => ack.thread_id)).size).toBe(3);
        await cleanUp();
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

test("[T2] sends the same command with the same id after a lost acknowledgement", async () => {
  const { server, client } = await startPair();
  server.misbehavior.lostAcks = 2;
  const ack = await client.send("once");
  await waitUntilCaughtUp(client, server);
  expect(ack.thread_id).toBe("th-1");
  expect(server.commands).toHaveLength(3);
  expect(new Set(server.commands.map((command) => command.id)).size).toBe(1);
  expect(client.view.threads).toHaveLength(1);
});

test("[L2] reconnects to a restarted server and sends the messages written meanwhile", async () => {
  const { server, client, frames } = await startPair();
  await client.send("before");
  await waitUntilCaughtUp(client, server);
  await server.stop();
  const sent = client.send("meanwhile");
  await vi.waitFor(() => expect(client.state.status).not.toBe("open"));
  await server.start();
  expect((await sent).thread_id).toBe("th-2");
  await waitUntilCaughtUp(client, server);
  expect(frames).toEqual(server.log);
  expect(client.view.threads.map((thread) => thread.query)).toEqual(["before", "meanwhile"]);
});

test.each([
  { how: "with fewer events", sent: 3, created: 1 },
  { how: "with more events", sent: 1, created: 3 },
])(
  "[I4] a conversation that was deleted and created again, $how, is read from its first event",
  async ({ sent, created }) => {
    let resets = 0;
    const views: ConversationView[] = [];
    const { server, client, frames, states } = await startPair({
      onReset: () => void (resets += 1),
      onView: (view) => views.push(view),
    });
    for (let i = 0; i < sent; i++) await client.send(`old ${i}`);
    await waitUntilCaughtUp(client, server);
    frames.length = 0;
    server.recreate(...Array.from({ length: created }, (_, i) => createAnswerThread(`new-${i}`, `new ${i}`)).flat());
    await vi.waitFor(() => expect(resets).toBe(1));
    await waitUntilCaughtUp(client, server);
    expect(frames).toEqual(server.log);
    expect(views).toContain(EMPTY_VIEW);
    expect(getViewState(client.view)).toEqual(getViewState(foldLog(server.log)));
    expect((await client.send("and on")).thread_id).toBe("th-1");
    await waitUntilCaughtUp(client, server);
    expect(resets).toBe(1);
    expect(states.at(-1)).toBe("open");
  },
);

test("[I4] a client that starts beyond the end of the log restarts from the first event", async () => {
  const { server, client, frames } = await startPair({ after: 1_000_000 });
  server.emit(...createAnswerThread("th-9", "hello"));
  await waitUntilCaughtUp(client, server);
  expect(frames).toEqual(server.log);
});

test("a client with a token opens each socket with its own ticket", async () => {
  const { server, client } = await startPair({ token: () => "secret" }, { requiresTicket: true });
  await client.send("one");
  await server.stop();
  await server.start();
  await client.send("two");
  await waitUntilCaughtUp(client, server);
  expect(server.tickets.length).toBeGreaterThanOrEqual(2);
  expect(client.view.threads).toHaveLength(2);
});

test("an unknown conversation fails the connection with the reason", async () => {
  const server = await startTestServer();
  server.fixedResponse = {
    status: 404,
    body: { type: "about:blank", title: "not found", status: 404, code: "not_found", detail: "No such conversation." },
  };
  const client = openClient(server, {});
  const sent = client.send("hello");
  await expect(sent).rejects.toMatchObject({ name: "Fault", code: "not_found", message: "No such conversation." });
  expect(client.state).toMatchObject({ status: "failed", fault: { code: "not_found" } });
  await expect(client.send("again")).rejects.toMatchObject({ code: "not_found" });
});

test("a rejected command rejects with the field, and the connection stays open", async () => {
  const { client, states } = await startPair();
  const rejection = await client.send("forbidden word").catch((thrown: unknown) => thrown);
  expect(rejection).toBeInstanceOf(CommandRefused);
  expect(rejection).toMatchObject({ code: "invalid_request", field: "message" });
  expect(states).toEqual(["connecting", "open"]);
});

test("an oversized command is rejected at once, and the connection stays open", async () => {
  // On a slow machine, writing 14 MB of JSON takes longer than the short silence timeout.
  const patientTiming = { ...QUICK_TIMING, pingEveryMs: 60_000, silenceMs: 10_000 };
  const { client, states, server } = await startPair({ timing: patientTiming });
  const rejection = await client.send("x".repeat(7_000_000)).catch((thrown: unknown) => thrown);
  expect(rejection).toBeInstanceOf(CommandRefused);
  expect(rejection).toMatchObject({ code: "too_large", field: "message" });
  const contextRejection = await client
    .send("hi", { context: { page: "x".repeat(7_000_000) } })
    .catch((thrown: unknown) => thrown);
  expect(contextRejection).toMatchObject({ name: "CommandRefused", code: "too_large", field: undefined });
  expect(server.commands).toEqual([]);
  await client.send("hi");
  expect(states).toEqual(["connecting", "open"]);
});

test("a rate-limited command rejects with the seconds to wait", async () => {
  const { client } = await startPair();
  const rejection = await client.send("one too many").catch((thrown: unknown) => thrown);
  expect(rejection).toBeInstanceOf(CommandRefused);
  expect(rejection).toMatchObject({ code: "too_many_requests", retryAfter: 37 });
});

test("[L2] events received before the next fold cause one change of the view, and none is lost", async () => {
  const scheduledFolds: (() => void)[] = [];
  const views: ConversationView[] = [];
  const { server, client } = await startPair({
    batch: (fold) => scheduledFolds.push(fold),
    onView: (view) => views.push(view),
  });
  await vi.waitFor(() => expect(client.view.isCaughtUp).toBe(true));
  const before = views.length;
  server.emit(...createAnswerThread("th-9", "many words"));
  await vi.waitFor(() => expect(scheduledFolds.length).toBeGreaterThanOrEqual(server.log.length));
  expect(views).toHaveLength(before);
  for (const fold of scheduledFolds.splice(0)) fold();
  expect(views).toHaveLength(before + 1);
  expect(getViewState(client.view)).toEqual(getViewState(foldLog(server.log)));
  // Control frames are never delayed, and nothing overtakes earlier frames.
  await client.send("now");
  expect(client.view.seq).toBe(server.log.length);
});

test("a subscriber receives each change until it unsubscribes", async () => {
  const { server, client } = await startPair();
  const seen: number[] = [];
  const unsubscribe = client.subscribe((view) => seen.push(view.seq));
  await client.send("hello");
  await waitUntilCaughtUp(client, server);
  unsubscribe();
  server.emit(...createAnswerThread("th-2", "unheard"));
  await waitUntilCaughtUp(client, server);
  expect(seen.at(-1)).toBe(5);
});
