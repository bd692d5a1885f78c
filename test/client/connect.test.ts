import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { CommandRefused } from "../../src/client/command-outbox.ts";
import { EMPTY_VIEW, listThreadItems, type ConversationView } from "../../src/protocol/wire/view.ts";
import { getItemText } from "../../src/protocol/wire/items.ts";
import { caughtUp, cleanUp, foldOf, opened, pair, QUICK, started, stateOf } from "./paired.ts";
import { answer } from "./scripted-server.ts";

test("[L2] a client that stays sees what the log says", async () => {
  const { server, client, frames } = await pair();
  const ack = await client.send("hello");
  await caughtUp(client, server);
  expect(ack).toMatchObject({ type: "ack", thread_id: "th-1", seq: 1 });
  expect(frames).toEqual(server.log);
  expect(stateOf(client.view)).toEqual(stateOf(foldOf(server.log)));
  expect(listThreadItems(client.view, "th-1").map(getItemText)).toEqual(["hello", "You said hello"]);
});

test("[L2] frames that arrive twice count once", async () => {
  const { server, client, frames } = await pair();
  server.misdeeds.repeats = true;
  await client.send("twice");
  await caughtUp(client, server);
  expect(frames).toEqual(server.log);
  expect(listThreadItems(client.view, "th-1").map(getItemText)).toEqual(["twice", "You said twice"]);
});

test("[L2] [T2] lines that are cut at any point lose nothing, double nothing and make one thread per message", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 12 }),
      fc.boolean(),
      async (cuts, repeats) => {
        const { server, client, frames } = await pair();
        const plan = [...cuts];
        let left = plan.shift();
        server.misdeeds.repeats = repeats;
        server.misdeeds.cut = () => {
          if (left === undefined) return false;
          left -= 1;
          if (left >= 0) return false;
          left = plan.shift();
          return true;
        };
        const acks = await Promise.all(["one", "two", "three"].map((message) => client.send(message)));
        await caughtUp(client, server);
        expect(frames).toEqual(server.log);
        expect(stateOf(client.view)).toEqual(stateOf(foldOf(server.log)));
        expect(client.view.threads.map((thread) => thread.query)).toEqual(["one", "two", "three"]);
        expect(new Set(acks.map((ack) => ack.thread_id)).size).toBe(3);
        await cleanUp();
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

test("[T2] a lost acknowledgement brings the same command again, under the same id", async () => {
  const { server, client } = await pair();
  server.misdeeds.lostAcks = 2;
  const ack = await client.send("once");
  await caughtUp(client, server);
  expect(ack.thread_id).toBe("th-1");
  expect(server.commands).toHaveLength(3);
  expect(new Set(server.commands.map((command) => command.id)).size).toBe(1);
  expect(client.view.threads).toHaveLength(1);
});

test("[L2] a restarted server is found again, and what was said meanwhile is sent to it", async () => {
  const { server, client, frames } = await pair();
  await client.send("before");
  await caughtUp(client, server);
  await server.stop();
  const sent = client.send("meanwhile");
  await vi.waitFor(() => expect(client.state.status).not.toBe("open"));
  await server.start();
  expect((await sent).thread_id).toBe("th-2");
  await caughtUp(client, server);
  expect(frames).toEqual(server.log);
  expect(client.view.threads.map((thread) => thread.query)).toEqual(["before", "meanwhile"]);
});

test.each([
  { how: "with fewer events", sent: 3, begun: 1 },
  { how: "with more events", sent: 1, begun: 3 },
])(
  "[I4] a conversation that was begun anew, $how, is told from its first event, and nothing of the old one stays",
  async ({ sent, begun }) => {
    let resets = 0;
    const views: ConversationView[] = [];
    const { server, client, frames, states } = await pair({
      onReset: () => void (resets += 1),
      onView: (view) => views.push(view),
    });
    for (let i = 0; i < sent; i++) await client.send(`old ${i}`);
    await caughtUp(client, server);
    frames.length = 0;
    server.begin(...Array.from({ length: begun }, (_, i) => answer(`new-${i}`, `new ${i}`)).flat());
    await vi.waitFor(() => expect(resets).toBe(1));
    await caughtUp(client, server);
    expect(frames).toEqual(server.log);
    expect(views).toContain(EMPTY_VIEW);
    expect(stateOf(client.view)).toEqual(stateOf(foldOf(server.log)));
    expect((await client.send("and on")).thread_id).toBe("th-1");
    await caughtUp(client, server);
    expect(resets).toBe(1);
    expect(states.at(-1)).toBe("open");
  },
);

test("[I4] a client that begins after a number that never was starts over by itself", async () => {
  const { server, client, frames } = await pair({ after: 1_000_000 });
  server.emit(...answer("th-9", "hello"));
  await caughtUp(client, server);
  expect(frames).toEqual(server.log);
});

test("with a token every socket is opened with a ticket of its own", async () => {
  const { server, client } = await pair({ token: () => "secret" }, { requiresTicket: true });
  await client.send("one");
  await server.stop();
  await server.start();
  await client.send("two");
  await caughtUp(client, server);
  expect(server.tickets.length).toBeGreaterThanOrEqual(2);
  expect(client.view.threads).toHaveLength(2);
});

test("a conversation that is not there ends the connection with the reason", async () => {
  const server = await started();
  server.refusal = {
    status: 404,
    body: { type: "about:blank", title: "not found", status: 404, code: "not_found", detail: "No such conversation." },
  };
  const client = opened(server, {});
  const sent = client.send("hello");
  await expect(sent).rejects.toMatchObject({ name: "Fault", code: "not_found", message: "No such conversation." });
  expect(client.state).toMatchObject({ status: "failed", fault: { code: "not_found" } });
  await expect(client.send("again")).rejects.toMatchObject({ code: "not_found" });
});

test("a refused command rejects with the field, and the line stays", async () => {
  const { client, states } = await pair();
  const refused = await client.send("forbidden word").catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(CommandRefused);
  expect(refused).toMatchObject({ code: "invalid_request", field: "message" });
  expect(states).toEqual(["connecting", "open"]);
});

test("what is larger than any server takes is refused at once, and the line stays", async () => {
  // To write fourteen megabytes as JSON takes a slow machine longer than a quick line may be silent.
  const patient = { ...QUICK, pingEveryMs: 60_000, silenceMs: 10_000 };
  const { client, states, server } = await pair({ timing: patient });
  const refused = await client.send("x".repeat(7_000_000)).catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(CommandRefused);
  expect(refused).toMatchObject({ code: "too_large", field: "message" });
  const laden = await client
    .send("hi", { context: { page: "x".repeat(7_000_000) } })
    .catch((thrown: unknown) => thrown);
  expect(laden).toMatchObject({ name: "CommandRefused", code: "too_large", field: undefined });
  expect(server.commands).toEqual([]);
  await client.send("hi");
  expect(states).toEqual(["connecting", "open"]);
});

test("a command that came too soon rejects with the seconds to wait", async () => {
  const { client } = await pair();
  const refused = await client.send("one too many").catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(CommandRefused);
  expect(refused).toMatchObject({ code: "too_many_requests", retryAfter: 37 });
});

test("[L2] what is heard until it is time to fold costs one change of the view, and none of it is lost", async () => {
  const due: (() => void)[] = [];
  const views: ConversationView[] = [];
  const { server, client } = await pair({ batch: (fold) => due.push(fold), onView: (view) => views.push(view) });
  await vi.waitFor(() => expect(client.view.isCaughtUp).toBe(true));
  const before = views.length;
  server.emit(...answer("th-9", "many words"));
  await vi.waitFor(() => expect(due.length).toBeGreaterThanOrEqual(server.log.length));
  expect(views).toHaveLength(before);
  for (const fold of due.splice(0)) fold();
  expect(views).toHaveLength(before + 1);
  expect(stateOf(client.view)).toEqual(stateOf(foldOf(server.log)));
  // What a line says besides events is never late, and nothing comes before what was heard earlier.
  await client.send("now");
  expect(client.view.seq).toBe(server.log.length);
});

test("a subscriber hears every change until it leaves", async () => {
  const { server, client } = await pair();
  const seen: number[] = [];
  const leave = client.subscribe((view) => seen.push(view.seq));
  await client.send("hello");
  await caughtUp(client, server);
  leave();
  server.emit(...answer("th-2", "unheard"));
  await caughtUp(client, server);
  expect(seen.at(-1)).toBe(5);
});
