import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "../../src/lib/line-splitter.ts";

test("returns the same complete lines however the bytes are split, and drops an incomplete last line", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "é", "天", "😀") });
  const cuts = fc.array(fc.nat({ max: 40 }));
  fc.assert(
    fc.property(text, cuts, (content, positions) => {
      const bytes = new TextEncoder().encode(content);
      const bounds = [0, ...positions.map((at) => Math.min(at, bytes.length)).toSorted((a, b) => a - b), bytes.length];
      const splitter = new LineSplitter();
      const lines = bounds.slice(1).flatMap((end, i) => splitter.feed(bytes.subarray(bounds[i], end)));
      expect(lines).toEqual(content.split("\n").slice(0, -1));
    }),
  );
});
