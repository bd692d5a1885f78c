import { describe, expect, test } from "vitest";
import { joinTextEvents } from "./fixtures/local-agent.ts";
import { scriptedModel } from "./fixtures/scripted-model.ts";
import { planCall, createTestToolsmith, writeCall } from "./fixtures/test-toolsmith.ts";

describe("the answer of the toolsmith", () => {
  const createProductModel = (a: number, text: string) =>
    scriptedModel([{ calls: [planCall("x")] }, { calls: [writeCall({ arguments: { a, b: 1 } })] }, { text }]);

  test("[F101] omits what the model wrote before it planned", async () => {
    const model = scriptedModel([
      { text: "That makes about 6000000.", calls: [planCall("678×8776")] },
      { calls: [writeCall()] },
      { text: "It is 5950128." },
    ]);
    expect(joinTextEvents(await createTestToolsmith(model).ask("678×8776"))).toBe("It is 5950128.");
  });

  test.each([
    [5, "It is 15."],
    [5_950_128, "It is 59501280."],
    [5_950_128, "It is 5,950,128."],
    [8, "It is 8.5"],
    [12, "It is -12."],
    [12, "It is 0.12."],
    [408, "一共4080天"],
    [408, "一共408万天"],
  ])("[F101] lists the results when %d is missing in “%s”", async (a, text) => {
    const events = await createTestToolsmith(createProductModel(a, text)).ask("x");
    expect(joinTextEvents(events)).toBe(`Task 1 (x): ${a}`);
  });

  test.each(["It is 408.", "一共408天", "408", "408, no more", "**408**", "408km", "= 408, says the tool", "$408"])(
    "[F101] keeps the text of the model when 408 is in “%s”",
    async (text) => {
      expect(joinTextEvents(await createTestToolsmith(createProductModel(408, text)).ask("x"))).toBe(text);
    },
  );

  test("[F101] lets the model correct a number that no tool has returned once, and then lists the results", async () => {
    const request = (...texts: string[]) => {
      const replies = [{ calls: [planCall("678×8776")] }, { calls: [writeCall()] }, ...texts.map((text) => ({ text }))];
      return createTestToolsmith(scriptedModel(replies)).ask("计算678乘以8776");
    };
    const invented = "The product is 5950128, about 12% of 50 million.";
    expect(joinTextEvents(await request(invented, "678 × 8776 = 5950128."))).toBe("678 × 8776 = 5950128.");
    expect(joinTextEvents(await request(invented, invented))).toBe("任务 1（678×8776）：5950128");
  });

  test("[F99] reports a subtask with an oversized result as failed, and keeps the other", async () => {
    const long = { calls: [writeCall({ name: "long", code: "function run() { return 'y'.repeat(16_001); }" })] };
    const model = scriptedModel([
      { calls: [planCall("one", "two")] },
      long,
      long,
      long,
      { calls: [writeCall({ arguments: { a: 2, b: 3 } })] },
      { text: "6" },
    ]);
    const events = await createTestToolsmith(model).ask("two things");
    expect(joinTextEvents(events)).toContain("6\nTask 1 (one) failed");
    expect(joinTextEvents(events)).toContain("longer than 16000 characters");
  });
});
