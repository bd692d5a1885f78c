// Several questions of one thread, for clients that can only answer with text.

import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptAgentPlan } from "../../support/question-script.ts";
import { startAgUiSetup, type AgUiSetup } from "./agui-setup.ts";

let setup: AgUiSetup;

beforeAll(async () => {
  setup = await startAgUiSetup();
});
afterAll(() => setup.stop());

const CONVERSATION = "x-orrery-conversation";

test.each([false, true])(
  "[H1] an OpenAI client gets several questions one after the other; streamed: %s",
  async (stream) => {
    const client = new OpenAI({ apiKey: "none", baseURL: `${setup.runtime.url}/v1`, maxRetries: 0 });
    let conversation: string | null = null;
    const sendMessage = async (content: string, key: string = crypto.randomUUID()): Promise<string> => {
      const headers = { "idempotency-key": key, ...(conversation === null ? {} : { [CONVERSATION]: conversation }) };
      const request = { model: "orrery", messages: [{ role: "user" as const, content }] };
      if (!stream) {
        const { data, response } = await client.chat.completions.create(request, { headers }).withResponse();
        conversation = response.headers.get(CONVERSATION);
        return data.choices[0]?.message.content ?? "";
      }
      const completion = client.chat.completions.create({ ...request, stream }, { headers });
      const { data, response } = await completion.withResponse();
      conversation = response.headers.get(CONVERSATION);
      let text = "";
      for await (const { choices } of data) text += choices[0]?.delta.content ?? "";
      return text;
    };
    expect(await sendMessage(scriptAgentPlan(setup.model, "curious", "curious"))).toBe("Which city?");
    expect(await sendMessage("Rome", "first")).toBe("Which city?");
    expect(await sendMessage("Rome", "first"), "a repeated answer is not applied to the next question").toBe(
      "Which city?",
    );
    expect(await sendMessage("Oslo")).toBe("All.");
    const { items } = await setup.user.get<{
      items: { event: string; role: string; payload: { content: string } }[];
    }>(`/api/v1/conversations/${String(conversation)}/items`);
    const answers = items.filter(({ event, role }) => event === "message" && role === "user");
    expect(answers.map(({ payload }) => payload.content)).toEqual(["Rome", "Oslo"]);
  },
);
