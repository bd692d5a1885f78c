// Titles that users choose.

import { expect, test } from "vitest";
import { titleSchema } from "../../src/lib/title.ts";

test.each([
  ["  Plan \n\r\t B ", "Plan B"],
  ["a\u0000b\u0007c", "abc"],
  ["invoice\u202Efdp.exe", "invoicefdp.exe"],
  ["\u2066pay\u2069\u200Bpal\uFEFF\u2060", "paypal"],
  ["pay\u200Dpal\u200C", "paypal"],
  ["Cafe\u0301", "Café"],
  ["line\u2028paragraph\u2029end", "line paragraph end"],
  ["👩‍👩‍👧 ❤️ 家庭", "👩‍👩‍👧 ❤️ 家庭"],
  ["می\u200Cخواهم", "می\u200Cخواهم"],
  ["\u0915\u094D\u200D\u0937", "\u0915\u094D\u200D\u0937"],
])("a title is one visible line: %j", (given, expected) => {
  expect(titleSchema.parse(given)).toBe(expected);
  expect(titleSchema.parse(expected)).toBe(expected);
});

test.each(["", "   ", "\u200B\u202E\u0000", "x".repeat(201)])(
  "a title without visible text, or too long, is refused: %j",
  (given) => {
    expect(titleSchema.safeParse(given).success).toBe(false);
  },
);
