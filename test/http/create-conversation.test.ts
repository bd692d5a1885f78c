import { setTimeout } from "node:timers/promises";
import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { Env } from "../../src/env.ts";
import { createOperations } from "../../src/http/api/operations.ts";
import { getSettings } from "../../src/settings.ts";

const realEnv = env as unknown as Env;

/** Creates an environment in which no message arrives. */
function createLosingEnv(): Env {
  const send = () => Promise.reject(new Error("Network connection lost."));
  const getByName = (name: string) =>
    new Proxy(realEnv.CONVERSATION.getByName(name), {
      get: (stub, method): unknown => (method === "send" ? send : Reflect.get(stub, method)),
    });
  return { ...realEnv, CONVERSATION: { getByName } as unknown as Env["CONVERSATION"] };
}

const createUserOperations = (userId: string, deployment = realEnv) =>
  createOperations({ env: deployment, settings: getSettings(realEnv), userId, expiresAt: null });
const listConversations = async (user: string) =>
  (await createUserOperations(user).listConversations({ query: { limit: 10 } })).conversations;

test("[F82] a lost first message leaves no empty conversation", async () => {
  const operations = createUserOperations("creating-1", createLosingEnv());
  await expect(operations.createConversation({ body: { message: "hello" } })).rejects.toThrow("lost");
  expect(await listConversations("creating-1")).toEqual([]);
});

test("[F82] a conversation created with a message and a title has both", async () => {
  const operations = createUserOperations("creating-2");
  const { conversation_id: id } = await operations.createConversation({ body: { title: "Stars", message: "hello" } });
  expect(await operations.readConversation({ id })).toMatchObject({ title: "Stars" });
  expect((await operations.items({ id }))[0]).toMatchObject({ role: "user", payload: { content: "hello" } });
});

test("[F82] a rejected first message leaves no conversation", async () => {
  const operations = createUserOperations("creating-3");
  await expect(operations.createConversation({ body: { message: "x".repeat(70_000) } })).rejects.toMatchObject({
    code: "too_large",
  });
  expect(await listConversations("creating-3")).toEqual([]);
});

test("a patch without changes does not move a conversation in the list", async () => {
  const operations = createUserOperations("creating-4");
  const { conversation_id: id } = await operations.createConversation({ body: { title: "Stars" } });
  const created = await operations.readConversation({ id });
  for (const patch of [{}, { title: undefined }, { title: "Stars" }, { status: "active" as const }]) {
    await setTimeout(2);
    expect(await operations.updateConversation({ id, body: patch })).toEqual(created);
  }
  const updated = await operations.updateConversation({ id, body: { title: "Stars", status: "inactive" } });
  expect(updated).toMatchObject({ title: "Stars", status: "inactive" });
  expect(updated.updated_at).toBeGreaterThan(created.updated_at);
});
