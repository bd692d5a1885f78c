// A tool that asks before it acts, in a Worker beside the runtime, asked by the built-in model.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { questionPayloadSchema } from "../../src/protocol/wire/question.ts";
import { withGuestbook } from "../support/guestbook.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  runtime = await startRuntime(withGuestbook());
  person = personAt(runtime.url);
});
afterAll(() => runtime.stop());

async function waiting(id: string, nth: number) {
  await vi.waitFor(async () => expect(eventsOf(await person.history(id), "task_waiting")).toHaveLength(nth), 10_000);
  return questionPayloadSchema.parse(eventsOf(await person.history(id), "task_waiting").at(-1)?.payload);
}

async function sign(text: string) {
  const { conversation_id: id } = await person.tell(`Sign the guestbook with '${text}'`, { agent: "guestbook" });
  return { id, asked: await waiting(id, 1) };
}

async function answer(id: string, body: object): Promise<void> {
  const response = await person.request("POST", `/api/v1/conversations/${id}/resume`, body);
  expect(response.status).toBe(202);
}

async function ended(id: string): Promise<string> {
  await vi.waitFor(async () => expect((await person.history(id)).at(-1)?.event).toBe("done"), 10_000);
  const log = await person.history(id);
  expect(breachesIn(log)).toEqual([]);
  return textOf(log);
}

async function book(): Promise<string> {
  return textOf((await person.say("Read the guestbook", { agent: "guestbook" })).frames);
}

describe("a tool that needs approval", () => {
  test("shows what it would do, and does not do it when it is refused", async () => {
    const { id, asked } = await sign("Refused");
    expect(asked).toMatchObject({
      options: ["approve", "refuse"],
      approval: { tool: "sign_guestbook", arguments: { text: "Refused" }, parameters: { required: ["text"] } },
    });
    expect(asked.content).toContain('"text": "Refused"');
    await answer(id, { message: "refuse" });
    expect(await ended(id)).toBe("sign guestbook was not carried out: you refused it.");
    expect(await book()).not.toContain("Refused");
  });

  test("does it once when it is approved, and as changed when it is changed", async () => {
    const first = await sign("Approved");
    await answer(first.id, { message: "approve" });
    expect(await ended(first.id)).toBe("The guestbook now says: Approved");
    const second = await sign("Draft");
    await answer(second.id, { message: "approve", arguments: { text: "Final" } });
    expect(await ended(second.id)).toBe("The guestbook now says: Final");
    const [answered] = eventsOf(await person.history(second.id), "message");
    expect(answered?.metadata).toEqual({ request_id: second.asked.request_id, arguments: { text: "Final" } });
    expect(await book()).toBe("Approved\nFinal");
  });

  test("[H4] an approval outlives the runtime and the agent", async () => {
    const { id } = await sign("After the kill");
    await runtime.kill();
    await runtime.restart();
    await answer(id, { message: "同意" });
    expect(await ended(id)).toBe("The guestbook now says: After the kill");
    expect(await book()).toBe("After the kill");
  });
});
