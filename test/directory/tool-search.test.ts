import { beforeEach, describe, expect, test } from "vitest";
import { buildSearchExpression, createToolIndexRow } from "../../src/directory/tool-search-terms.ts";
import { extractTerms } from "../../src/language/search-terms.ts";
import { listTools, recordToolRun } from "../../src/directory/tool-directory.ts";
import { DB } from "./schedule-rows.ts";
import { clearTools, searchNames, saveTestTool, saveTestTools } from "./tool-rows.ts";

beforeEach(clearTools);

describe("tool search", () => {
  const LIBRARY = {
    multiply_numbers: "Multiplies two numbers. 计算两个数的乘积。",
    days_between: "Counts the days between two dates. 计算两个日期之间的天数。",
    reverse_text: "Reverses a text. 把文本倒过来。",
    word_count: "Counts the words of a text. 统计文本的单词数。",
    weekday: "Tells the day of the week of a date. 查询某个日期是星期几。",
    celsius_to_fahrenheit: "Converts degrees Celsius to Fahrenheit. 摄氏度转换为华氏度。",
  };

  test.each([
    ["multiply 678 by 8776", "multiply_numbers"],
    ["The multiplication of 12 and 34", "multiply_numbers"],
    ["计算678乘以8776的结果", "multiply_numbers"],
    ["求12和34的乘积", "multiply_numbers"],
    ["How many days are there between 2026-01-01 and 2026-11-21?", "days_between"],
    ["两个日期相差多少天数", "days_between"],
    ["REVERSED TEXTS", "reverse_text"],
    ["ｒｅｖｅｒｓｅ", "reverse_text"],
    ["counting words", "word_count"],
    ["2026年11月21日是星期几", "weekday"],
    ["converting 30 Celsius", "celsius_to_fahrenheit"],
  ])("finds for %j first %s", async (text, name) => {
    await saveTestTools("ada", LIBRARY, "other");
    expect((await searchNames("ada", text, "text"))[0]).toBe(name);
  });

  test("finds nothing for unrelated or empty text", async () => {
    await saveTestTools("ada", LIBRARY, "other");
    for (const text of ["", "  ", "***", "greatest common divisor", "a the of", "🦊", "\ud800", "\u0000"]) {
      expect(await searchNames("ada", text, "text"), text).toEqual([]);
    }
  });

  test('does not match "times" in a multiplication with a time tool', async () => {
    await saveTestTool("ada", { name: "current_time", description: "Tells the current time", category: "other" });
    expect(await searchNames("ada", "678 times 8776", "text")).toEqual([]);
    expect(await searchNames("ada", "what time is it now?", "text")).toEqual(["current_time"]);
  });

  test("ranks the category first but does not require it", async () => {
    await saveTestTool("ada", { name: "area", category: "other", description: "Area of a rectangle" });
    await saveTestTool("ada", { name: "area_code", category: "text", description: "Area of a telephone number" });
    expect(await searchNames("ada", "area", "text")).toEqual(["area_code", "area"]);
    expect(await searchNames("ada", "area", "other")).toEqual(["area", "area_code"]);
    expect(await searchNames("ada", "area", "math")).toHaveLength(2);
  });

  test("gives numbers of the request a low weight", async () => {
    await saveTestTools("ada", {
      baked: "Gives 678 for 8776",
      multiply: "Product of two numbers",
      add: "Sum of numbers",
      subtract: "Difference of numbers",
    });
    expect(await searchNames("ada", "product of 678 and 8776", "text")).toEqual(["multiply", "baked"]);
  });

  test("fills up results with the most used tools of the category", async () => {
    await saveTestTools("ada", { doppelt: "Verdoppelt", halb: "Halbiert", drittel: "Drittelt" });
    await saveTestTools("ada", { andere: "Etwas anderes" }, "text");
    for (let i = 0; i < 3; i++) await recordToolRun(DB, "ada", "halb", { status: "completed", at: 1 });
    await recordToolRun(DB, "ada", "drittel", { status: "completed", at: 1 });
    await saveTestTool("ada");
    await saveTestTool("bob", { name: "quadrat", description: "Quadriert" });
    const filled = ["multiply_numbers", "halb", "drittel", "doppelt"];
    expect(await searchNames("ada", "multiply", "math")).toEqual(filled);
    expect(await searchNames("ada", "multiply", "math", 3)).toEqual(filled.slice(0, 3));
    expect(await searchNames("ada", "翻倍", "math", 2)).toEqual(["halb", "drittel"]);
  });

  test.each([
    `multiply" OR "x`,
    "NOT multiply AND NEAR(multiply reverse, 2)",
    "{name} : multiply*",
    "^multiply + reverse",
    "name:multiply -words",
    '""""',
    "(((",
    "'; DROP TABLE tool; --",
  ])("treats no part of %j as an operator", async (text) => {
    await saveTestTools("ada", LIBRARY, "other");
    const plain = text.replaceAll(/[^a-z]+/gi, " ");
    expect(await searchNames("ada", text, "text")).toEqual(await searchNames("ada", plain, "text"));
  });

  test("[U1] finds no tool of another user, whatever the text", async () => {
    await saveTestTool("bob");
    const bobs = await DB.prepare(`SELECT * FROM tool`).first();
    expect(bobs).not.toBeNull();
    for (const text of [
      "multiply",
      `multiply" OR multiply OR "`,
      "两个数的乘积",
      "x".repeat(9_000),
      "81b637d8fcd2c6dax",
    ]) {
      expect(await searchNames("ada", text)).toEqual([]);
      expect((await listTools(DB, "ada", 9, null, { text })).tools).toEqual([]);
    }
    expect(await searchNames("bob", "multiply")).toEqual(["multiply_numbers"]);
  });

  test("[U1] is not affected by the number of other users' tools", async () => {
    for (let i = 0; i < 60; i++) await saveTestTool("bob", { name: `multiply_${i}`, description: "Multiply" });
    await saveTestTool("ada", {
      description: "Among many other things this may also multiply numbers, if they are not too large",
    });
    expect(await searchNames("ada", "multiply", "text")).toEqual(["multiply_numbers"]);
  });

  test("uses a bounded number of terms for queries and stored tools", async () => {
    const endless = Array.from({ length: 600 }, (_, i) => `w${i}`).join(" ");
    const han = Array.from({ length: 600 }, (_, i) => String.fromCodePoint(0x4f00 + i)).join("");
    await saveTestTool("ada", { description: `${endless} ${han}` });
    expect(await searchNames("ada", `${endless} `.repeat(100), "text")).toEqual(["multiply_numbers"]);
    for (const text of [endless, han]) {
      expect((await buildSearchExpression("ada", text))?.match(/ : "/g)?.length).toBe(text === han ? 64 : 32);
      const { words, hints } = await createToolIndexRow("ada", "tool", text);
      expect(words.split(" ")).toHaveLength(200);
      expect(hints.split(" ")).toHaveLength(text === han ? 200 : 1);
    }
    expect(extractTerms("a1 ".repeat(100_000)).words).toEqual(["a1"]);
    expect(extractTerms(`${"a".repeat(1_999)} after`).words).toEqual(["a".repeat(40)]);
  });
});
