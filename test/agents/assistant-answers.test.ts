// The assistant with the embedded model, over A2A without network: complete answers.

import { describe, expect, test } from "vitest";
import { askAssistant } from "./fixtures/ask-assistant.ts";
import { joinTextEvents } from "./fixtures/local-agent.ts";

const ask = (query: string) => askAssistant(query, { timezone: "Asia/Shanghai" });

describe("the assistant", () => {
  test.each([
    ["What is 17 * 23?", /\b391\b/, ["calculate"]],
    ["计算 128 除以 4 再加 6", /38/, ["calculate"]],
    ["现在几点？", /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00/, ["current_time"]],
    ["What time is it in Tokyo?", /\+09:00 .*Asia\/Tokyo/, ["current_time"]],
    ["Roll a die", /\b[1-6]\b/, ["random_number"]],
    ["Turn hello world into upper case", /HELLO WORLD/, ["transform_text"]],
    ["What is 2+2 and what time is it in Paris?", /4[\s\S]*Europe\/Paris/, ["calculate", "current_time"]],
  ])("answers %s with computed values", async (query, answer, tools) => {
    const events = await ask(query);
    expect(joinTextEvents(events)).toMatch(answer);
    expect(events.flatMap((event) => (event.type === "tool_completed" ? [event.tool] : []))).toEqual(tools);
    expect(events.at(-1)).toEqual({ type: "completed" });
    expect(events.filter(({ type }) => type === "usage")).toMatchObject([
      { usage: { model_calls: 1 } },
      { usage: { model_calls: 1 } },
    ]);
  });
});
