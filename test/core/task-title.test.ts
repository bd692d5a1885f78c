// The title of a task without one.

import { expect, test } from "vitest";
import { createTitle } from "../../src/core/turn/planning-outcome.ts";

test.each([
  ["  What is 6 × 7?\nAnd 8 × 9?", "What is 6 × 7?"],
  ["one two three four five six seven eight nine ten", "one two three four five six seven eight nine ten"],
  ["compute the standard deviation of 4, 8, 15, 16, 23, 42", "compute the standard deviation of 4, 8, 15, 16, 23…"],
  ["计算 4、8、15、16、23、42 的标准差和平均值", "计算 4、8、15、16、23、42 的…"],
  ["计算一二三四五六七八九十一二三四五六七、八", "计算一二三四五六七八九十一二三四五六七…"],
  // Text without spaces.
  [`decode ${"QUJD".repeat(50)}`, `decode ${"QUJD".repeat(28)}Q…`],
  ["おはよう".repeat(50), `${"おはよう".repeat(30)}…`],
  [`${"x ".repeat(9)}${"y".repeat(500)} z`, `${"x ".repeat(9)}${"y".repeat(102)}…`],
])("createTitle(%j) returns %j", (query, title) => {
  expect(createTitle(query)).toBe(title);
});
