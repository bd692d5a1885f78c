// Several questions of one thread, for clients that can answer in nothing but words.

import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plannedWith } from "../support/asking.ts";
import { startStage, type Stage } from "./protocols/agui-stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

const CONVERSATION = "x-orrery-conversation";

test.each([false, true])("[H1] a client of OpenAI is asked them one after the other; streamed: %s", async (stream) => {
  const client = new OpenAI({ apiKey: "none", baseURL: `${stage.runtime.url}/v1`, maxRetries: 0 });
  let conversation: string | null = null;
  const say = async (content: string, key: string = crypto.randomUUID()): Promise<string> => {
    const headers = { "idempotency-key": key, ...(conversation === null ? {} : { [CONVERSATION]: conversation }) };
    const request = { model: "orrery", messages: [{ role: "user" as const, content }] };
    if (!stream) {
      const { data, response } = await client.chat.completions.create(request, { headers }).withResponse();
      conversation = response.headers.get(CONVERSATION);
      return data.choices[0]?.message.content ?? "";
    }
    const whole = client.chat.completions.create({ ...request, stream }, { headers });
    const { data, response } = await whole.withResponse();
    conversation = response.headers.get(CONVERSATION);
    let text = "";
    for await (const { choices } of data) text += choices[0]?.delta.content ?? "";
    return text;
  };
  expect(await say(plannedWith(stage.model, "curious", "curious"))).toBe("Which city?");
  expect(await say("Rome", "first")).toBe("Which city?");
  expect(await say("Rome", "first"), "the same again answers nothing else").toBe("Which city?");
  expect(await say("Oslo")).toBe("All.");
  const { items } = await stage.person.get<{ items: { event: string; role: string; payload: { content: string } }[] }>(
    `/api/v1/conversations/${String(conversation)}/items`,
  );
  const answers = items.filter(({ event, role }) => event === "message" && role === "user");
  expect(answers.map(({ payload }) => payload.content)).toEqual(["Rome", "Oslo"]);
});
