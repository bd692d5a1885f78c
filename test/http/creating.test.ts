import { setTimeout } from "node:timers/promises";
import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { Env } from "../../src/env.ts";
import { createOperations } from "../../src/http/operations/operations.ts";
import { getSettings } from "../../src/settings.ts";

const real = env as unknown as Env;

/** An environment in which no message arrives. */
function losing(): Env {
  const send = () => Promise.reject(new Error("Network connection lost."));
  const getByName = (name: string) =>
    new Proxy(real.CONVERSATION.getByName(name), {
      get: (stub, method): unknown => (method === "send" ? send : Reflect.get(stub, method)),
    });
  return { ...real, CONVERSATION: { getByName } as unknown as Env["CONVERSATION"] };
}

const conversationsOf = async (user: string) =>
  (await createOperations(real, getSettings(real), user).listConversations(10)).conversations;

test("[F82] a first message that is lost leaves no empty conversation behind", async () => {
  const verbs = createOperations(losing(), getSettings(real), "creating-1");
  await expect(verbs.createConversation({ message: "hello" })).rejects.toThrow("lost");
  expect(await conversationsOf("creating-1")).toEqual([]);
});

test("[F82] a conversation that was made with a message and a title has both", async () => {
  const verbs = createOperations(real, getSettings(real), "creating-2");
  const { conversation_id: id } = await verbs.createConversation({ title: "Stars", message: "hello" });
  expect(await verbs.readConversation(id)).toMatchObject({ title: "Stars" });
  expect((await verbs.items(id))[0]).toMatchObject({ role: "user", payload: { content: "hello" } });
});

test("[F82] a first message that is refused leaves no conversation behind", async () => {
  const verbs = createOperations(real, getSettings(real), "creating-3");
  await expect(verbs.createConversation({ message: "x".repeat(70_000) })).rejects.toMatchObject({ code: "too_large" });
  expect(await conversationsOf("creating-3")).toEqual([]);
});

test("a change that changes nothing leaves a conversation where it stands in the list", async () => {
  const verbs = createOperations(real, getSettings(real), "creating-4");
  const { conversation_id: id } = await verbs.createConversation({ title: "Stars" });
  const made = await verbs.readConversation(id);
  for (const patch of [{}, { title: undefined }, { title: "Stars" }, { status: "active" as const }]) {
    await setTimeout(2);
    expect(await verbs.updateConversation(id, patch)).toEqual(made);
  }
  const moved = await verbs.updateConversation(id, { title: "Stars", status: "inactive" });
  expect(moved).toMatchObject({ title: "Stars", status: "inactive" });
  expect(moved.updated_at).toBeGreaterThan(made.updated_at);
});
