import { describe, expect, test } from "vitest";
import { textOf } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";
import { plan, smithy, write } from "./fixtures/smithy.ts";

describe("the answer", () => {
  const productOf = (a: number, text: string) =>
    scriptedModel([{ calls: [plan("x")] }, { calls: [write({ arguments: { a, b: 1 } })] }, { text }]);

  test("[F101] has nothing in its answer that the model said before it planned", async () => {
    const model = scriptedModel([
      { text: "That makes about 6000000.", calls: [plan("678×8776")] },
      { calls: [write()] },
      { text: "It is 5950128." },
    ]);
    expect(textOf(await smithy(model).ask("678×8776"))).toBe("It is 5950128.");
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
  ])("[F101] %d is not in “%s”", async (a, text) => {
    const said = await smithy(productOf(a, text)).ask("x");
    expect(textOf(said)).toBe(`Task 1 (x): ${a}`);
  });

  test.each([
    "It is 408.",
    "一共408天",
    "408",
    "15 and 4080, no: 408",
    "**408**",
    "408km",
    "= 408, says the tool",
    "$408",
  ])("[F101] 408 is in “%s”", async (text) => {
    expect(textOf(await smithy(productOf(408, text)).ask("x"))).toBe(text);
  });

  test("[F99] whose result is too long to be told fails alone", async () => {
    const long = { calls: [write({ name: "long", code: "function run() { return 'y'.repeat(16_001); }" })] };
    const model = scriptedModel([
      { calls: [plan("one", "two")] },
      long,
      long,
      long,
      { calls: [write({ arguments: { a: 2, b: 3 } })] },
      { text: "6" },
    ]);
    const said = await smithy(model).ask("two things");
    expect(textOf(said)).toContain("6\nTask 1 (one): failed");
    expect(textOf(said)).toContain("longer than 16000 characters");
  });
});
