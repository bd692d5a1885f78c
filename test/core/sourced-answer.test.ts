// The numbers of a synthesized answer: each one comes from the request, the tasks or their results.

import { describe, expect, test } from "vitest";
import { SUPER_AGENT } from "../../src/protocol/wire/events.ts";
import { Memory, answerWith, handoff, plan, runTestTurn, scriptModel, task } from "../support/scripted-ports.ts";

const AGENTS = { count: answerWith("Orders: 1,234 in 3 shops"), mean: answerWith("74.25 per order") };
const INVENTED = "Nothing failed. There were 1,234 orders and 999,999.99 in all.";

const run = async (message: string, texts: readonly string[], options: Parameters<typeof runTestTurn>[2] = {}) => {
  const planner = [plan(task("1", "count"), task("2", "mean"))];
  const model = scriptModel({ triage: [handoff({})], planner, synthesis: texts.map((text) => ({ text })) });
  const { memory, end } = await runTestTurn({ model, agents: AGENTS }, message, options);
  const requests = model.requests.filter(({ role }) => role === "synthesis");
  return { end, requests, sent: joinAnswer(memory.sent), shown: joinAnswer(memory.readFrames(0)) };
};
const joinAnswer = (frames: Memory["sent"]): string =>
  frames
    .flatMap((frame) =>
      frame.event === "message_chunk" && frame.data.agent_name === SUPER_AGENT ? [frame.data.payload.content] : [],
    )
    .join("");

describe("a number of the answer", () => {
  test("that is in the results, rounded, as a word or as the number of tasks, needs no correction", async () => {
    const text = "Both of the 2 tasks: 1.2 thousand orders in 3 shops, about 74.3 each; you asked for 55.";
    const { requests, shown } = await run("Is it over 55?", [text]);
    expect(shown).toBe(text);
    expect(requests).toHaveLength(1);
  });

  test("without a source is corrected once, and nobody reads it", async () => {
    const { requests, sent, shown, end } = await run("go", [INVENTED, "There were 1,234 orders."]);
    expect(sent).toBe("Nothing failed. There were There were 1,234 orders.");
    expect(shown).toBe("There were 1,234 orders.");
    expect(requests[1]?.messages.at(-1)?.content).toContain("not in the data: 999,999.99.");
    expect(end.status).toBe("completed");
  });

  test.each([
    ["go", INVENTED, "Nothing failed. There were 1,234 orders and 999,999.99 (unverified) in all."],
    ["请统计订单", "共1,234单，合计一百二十万元。", "共1,234单，合计一百二十万（未经核实）元。"],
  ])("that the model insists on is marked: %s", async (message, text, marked) => {
    const { shown, requests } = await run(message, [text, text]);
    expect(shown).toBe(marked);
    expect(requests).toHaveLength(2);
  });

  test("is corrected in an answer with a format, which stays JSON", async () => {
    const request = { message: "go", answer: { format: { type: "json_object" } } } as const;
    const json = '{"orders": 1234, "total": 999999.99}';
    const { shown, requests } = await run("go", [json, json], { turn: { request } });
    expect(JSON.parse(shown)).toMatchObject({ orders: 1234 });
    expect(requests).toHaveLength(2);
  });

  test("[T4] is marked after a crash between both attempts", async () => {
    const memory = new Memory();
    const crashed = run("go", [INVENTED], { memory });
    await crashed.catch(() => {});
    const { shown, requests } = await run("go", [INVENTED], {
      memory,
      step: memory.createStepRunner({ isCatchingUp: true }),
    });
    expect(shown).toContain("999,999.99 (unverified)");
    expect(requests).toHaveLength(1);
  });
});
