import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assistant } from "../../src/agents/assistant/assistant.ts";
import { calculate } from "../../src/agents/assistant/calculate.ts";
import { describeTime } from "../../src/agents/assistant/describe-time.ts";
import { assistantTools } from "../../src/agents/assistant/tools.ts";
import { agentCardSchema, type AgentMetadata } from "../../src/protocol/agents/agent.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { createRequest } from "./fixtures/local-agent.ts";
import { pickByLength } from "../support/run-length.ts";

function callTool(name: string, args: unknown, metadata: AgentMetadata = {}, query = ""): Promise<string> {
  const found = assistantTools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  const { signal } = new AbortController();
  return found.call(args, { request: createRequest(query, metadata), env: {}, signal, call_id: "call-1" });
}

test("the card of the assistant is complete and its skills have tags and examples in both languages", () => {
  const card = agentCardSchema.parse(assistant.card);
  expect(card.name).toBe("assistant");
  for (const { tags, examples } of card.skills) {
    for (const texts of [tags, examples]) {
      expect(texts.some((word) => /\p{Script=Han}/u.test(word))).toBe(true);
      expect(texts.some((word) => /[a-z]/i.test(word))).toBe(true);
    }
  }
});

describe("calculate", () => {
  test.each([
    ["1 + 2 * 3", "7"],
    ["(17 + 4) * 3 / 2", "31.5"],
    ["0.1 + 0.2", "0.3"],
    ["2^10", "1024"],
    ["2**10", "1024"],
    ["-3^2", "-9"],
    ["10 mod 3", "1"],
    ["-7 mod 3", "2"],
    ["5!", "120"],
    ["200 * 15%", "30"],
    ["200 + 10%", "220"],
    ["100 + 10% + 5", "115"],
    ["100 - 10% - 5", "85"],
    ["5% + 3", "3.05"],
    ["sqrt(2)", "1.4142135623731"],
    ["round(10 / 3, 2)", "3.33"],
    ["round(1.005, 2)", "1.01"],
    ["max(1,200,300)", "300"],
    ["mean(1, 2, 3, 4)", "2.5"],
    ["median(5, 1, 9)", "5"],
    ["gcd(12, 18) + lcm(4, 6)", "18"],
    ["12×3÷4−1", "8"],
    ["（1＋2）＊3＝", "9"],
    ["1,234,567 + 1", "1234568"],
    ["2 pi", "6.28318530717959"],
    ["log10(1000)", "3"],
    ["1e3 / 4", "250"],
    ["17 * 23 = ?", "391"],
    ["123456789 * 987654321", "121932631112635269"],
    ["2^50", "1125899906842624"],
    ["-(3^40) + 1", "-12157665459056928800"],
    ["25!", "15511210043330985984000000"],
    ["10^20", "100000000000000000000"],
    ["0 - 2^53", "-9007199254740992"],
    ["123456789.5 * 987654321", "1.21932631606462e+17"],
    ["2^50 * 1.5", "1.68884986026394e+15"],
    ["12345678901234567890 + 1", "1.23456789012346e+19"],
    ["(1e20 - 1) * 2", "2e+20"],
    ["100!", "9.33262154439441e+157"],
    ["2 ^ -3", "0.125"],
  ])("%s = %s", (expression, value) => {
    expect(calculate(expression)).toBe(value);
  });

  test.each([
    "",
    "1 +",
    "1 / 0",
    "5 mod 0",
    "sqrt(-1)",
    "10^400",
    "171!",
    "a = 3",
    "f(x) = x",
    "x",
    "[1, 2, 3]",
    "1:1000000000",
    "{a: 1}",
    '"text"',
    "import({}, {})",
    'evaluate("1+1")',
    'parse("1")',
    "createUnit(1)",
    'cos.constructor("return 1")()',
    "true ? 1 : 2",
    "1 < 2",
    "1; 2",
    "constructor",
    "__proto__",
    "toString()",
    "sqrt",
    "sqrt()",
    "sqrt(1, 2)",
    `${"1+".repeat(300)}1`,
    `${"9".repeat(501)}`,
    `${"(".repeat(249)}1${")".repeat(249)}`,
    `${"-".repeat(490)}1`,
    "1 cm + 2 cm",
    "2i",
  ])("rejects %s with a Fault", (expression) => {
    expect(() => calculate(expression)).toThrow(Fault);
  });

  test("returns a number or throws a Fault for any input", () => {
    const piece = fc.constantFrom(..."0123456789.+-*/^%!()[]{},;:=<>'\"eimodsqrtpi \n".split(""), "sqrt(", "mod", "pi");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join("")),
        ),
        (expression) => {
          expect(classifyOutcome(expression)).toMatch(/^(a number|a Fault)$/);
        },
      ),
      { numRuns: pickByLength(500, 50_000) },
    );
  });
});

describe("current_time", () => {
  const at = new Date("2026-11-21T07:04:05Z");
  test("is formatted for programs and for people", () => {
    expect(describeTime(at, "Asia/Shanghai", "en")).toBe(
      "2026-11-21T15:04:05+08:00 (Saturday, 21 November 2026 at 15:04:05, Asia/Shanghai)",
    );
    expect(describeTime(at, "Asia/Shanghai", "zh-CN")).toBe(
      "2026-11-21T15:04:05+08:00 (2026年11月21日星期六 15:04:05, Asia/Shanghai)",
    );
    expect(describeTime(at, "UTC", "en")).toMatch(/^2026-11-21T07:04:05\+00:00 \(.*UTC\)$/);
    expect(describeTime(at, "Asia/Kolkata", "en")).toContain("T12:34:05+05:30");
    expect(describeTime(at, "America/New_York", "en")).toContain("T02:04:05-05:00");
  });

  test("uses the argument, else the time zone of the user, else UTC", async () => {
    expect(await callTool("current_time", { timezone: "Asia/Tokyo" }, { timezone: "Europe/Oslo" })).toContain(
      "Asia/Tokyo",
    );
    expect(await callTool("current_time", {}, { timezone: "Europe/Oslo" })).toContain("Europe/Oslo");
    expect(await callTool("current_time", {})).toContain("UTC");
    const [iso = ""] = (await callTool("current_time", {})).split(" ");
    expect(Math.abs(Date.parse(iso) - Date.now())).toBeLessThan(2000);
  });

  test("rejects an unknown time zone", async () => {
    await expect(callTool("current_time", { timezone: "Mars/Olympus" })).rejects.toThrow(/Unknown time zone Mars/);
  });
});

describe("random_number", () => {
  test("stays in its range, bounds included", async () => {
    const numbers = new Set<string>();
    for (let i = 0; i < 200; i += 1) numbers.add(await callTool("random_number", { min: -1, max: 1 }));
    expect([...numbers].toSorted()).toEqual(["-1", "0", "1"]);
    expect(await callTool("random_number", { min: 7, max: 7 })).toBe("7");
  });

  test.each([
    { min: 2, max: 1 },
    { min: 0.5, max: 2 },
    { min: 0, max: 2 ** 40 },
  ])("rejects %o", async (args) => {
    await expect(callTool("random_number", args)).rejects.toThrow(Fault);
  });
});

describe("the text tools", () => {
  test.each([
    ["text_statistics", { text: "The quick fox. It ran!\nAway" }, "27 characters, 6 words, 3 sentences, 2 lines"],
    ["text_statistics", { text: "" }, "0 characters, 0 words, 0 sentences, 0 lines"],
    ["text_statistics", { text: "你好，世界👨‍👩‍👧" }, "6 characters, 2 words, 1 sentence, 1 line"],
    ["transform_text", { text: "hello wORLD", operation: "uppercase" }, "HELLO WORLD"],
    ["transform_text", { text: "hello wORLD it's", operation: "titlecase" }, "Hello World It's"],
    ["transform_text", { text: "ab👨‍👩‍👧c", operation: "reverse" }, "c👨‍👩‍👧ba"],
    ["transform_text", { text: "  a   b ", operation: "trim" }, "a b"],
    ["transform_text", { text: "b10\nb9\na", operation: "sort_lines" }, "a\nb9\nb10"],
    ["transform_text", { text: "a\nb\na", operation: "unique_lines" }, "a\nb"],
    ["replace_text", { text: "a.b.c", find: ".", replacement: "$&" }, "a$&b$&c\n(2 replaced)"],
  ])("%s %o returns the expected text", async (name, args, expected) => {
    expect(await callTool(name, args)).toBe(expected);
  });

  test("report counts in the language of the user", async () => {
    const text = "你好，世界。再见";
    expect(await callTool("text_statistics", { text }, { language: "zh-CN" })).toBe("8 个字符，3 个词，2 句，1 行");
    expect(await callTool("text_statistics", { text }, { language: "en-US" })).toMatch(/^8 characters/);
    const query = "“hello”有几个单词";
    expect(await callTool("text_statistics", { text: "hello" }, { language: "en-US" }, query)).toMatch(/^5 个字符/);
  });

  test("reject an oversized result or input", async () => {
    await expect(
      callTool("replace_text", { text: "a".repeat(100_000), find: "a", replacement: "b".repeat(1000) }),
    ).rejects.toThrow(Fault);
    await expect(callTool("transform_text", { text: "a".repeat(100_001), operation: "trim" })).rejects.toThrow(Fault);
  });
});

function classifyOutcome(expression: string): string {
  try {
    return Number.isFinite(Number(calculate(expression))) ? "a number" : "nonsense";
  } catch (thrown) {
    return thrown instanceof Fault ? "a Fault" : String(thrown);
  }
}
