import { expect, test } from "vitest";
import { AnswerLimiter } from "../../../src/agents/analyst/answer-limiter.ts";

function feedInPieces(text: string, size: number): string {
  const limiter = new AnswerLimiter();
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
  return pieces.map((piece) => limiter.feed(piece)).join("") + limiter.flush();
}

test.each([1, 7, 10_000])("chat text ends before its 300th word, also in pieces of %i characters", (size) => {
  const long = Array.from({ length: 400 }, (_, i) => `word${i}`).join(" ");
  expect(feedInPieces(long, size)).toBe(`${long.slice(0, long.indexOf(" word299"))} …`);
  expect(feedInPieces("字".repeat(400), size)).toBe(`${"字".repeat(299)} …`);
  const short = "Hello, **you**.\n\n- one\n- two\n";
  expect(feedInPieces(short, size)).toBe(short);
});

test.each([1, 5, 1_000])("chat text contains no HTML and no script, also in pieces of %i characters", (size) => {
  const text = feedInPieces("<script>x</script> [a](javascript:x) ![b](https://example.org/b.png)", size);
  expect(text).toBe("&lt;script>x&lt;/script> [a] (javascript:x) [b](https://example.org/b.png)");
});
