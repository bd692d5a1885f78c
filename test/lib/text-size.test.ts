import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkRowSize, MAX_ROW_BYTES } from "../../src/lib/row-size.ts";
import { countBytes, truncateToBytes, exceedsBytes, splitText } from "../../src/lib/text-size.ts";

const text = fc.string({ unit: "binary", maxLength: 40 });

test("splitText returns pieces within the length that are together the text and split no surrogate pair", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 9 }), (whole, max) => {
      const pieces = [...splitText(whole, max)];
      expect(pieces.join("")).toBe(whole);
      expect(pieces.every((piece) => piece.length <= max && piece.isWellFormed())).toBe(true);
      expect(pieces.every((piece) => piece.length >= max - 1 || piece === pieces.at(-1))).toBe(true);
    }),
  );
});

test("truncateToBytes returns the longest beginning within the size that splits no character", () => {
  fc.assert(
    fc.property(text, fc.nat(60), (whole, max) => {
      const cut = truncateToBytes(whole, max);
      expect(whole.startsWith(cut) && cut.isWellFormed()).toBe(true);
      expect(countBytes(cut)).toBeLessThanOrEqual(max);
      const [next = ""] = whole.slice(cut.length);
      expect(cut === whole || countBytes(cut + next) > max).toBe(true);
    }),
  );
});

test.each([
  ["ASCII", "a"],
  ["two bytes", "ä"],
  ["three bytes", "字"],
  ["surrogate pairs", "😀"],
])("[I43] the limit of a row is exact for %s", (_, unit) => {
  const count = Math.floor(MAX_ROW_BYTES / countBytes(unit));
  const full = unit.repeat(count) + "a".repeat(MAX_ROW_BYTES - count * countBytes(unit));
  expect(exceedsBytes(full, MAX_ROW_BYTES)).toBe(false);
  expect(exceedsBytes(`${full}a`, MAX_ROW_BYTES)).toBe(true);
  for (const values of [[full], [7, full, null], [full.slice(1), "a"]])
    expect(() => checkRowSize(values)).not.toThrow();
  for (const values of [[`${full}a`], [full, "a"], ["a", 1, full]])
    expect(() => checkRowSize(values)).toThrow("string or blob too big: SQLITE_TOOBIG");
});
