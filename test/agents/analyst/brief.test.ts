import { expect, test } from "vitest";
import { AnswerLimiter } from "../../../src/agents/analyst/answer-limiter.ts";

function through(text: string, size: number): string {
  const brief = new AnswerLimiter();
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
  return pieces.map((piece) => brief.feed(piece)).join("") + brief.flush();
}

test.each([1, 7, 10_000])("talk ends before its 300th word, in pieces of %i as well", (size) => {
  const long = Array.from({ length: 400 }, (_, i) => `word${i}`).join(" ");
  expect(through(long, size)).toBe(`${long.slice(0, long.indexOf(" word299"))} …`);
  expect(through("字".repeat(400), size)).toBe(`${"字".repeat(299)} …`);
  const short = "Hello, **you**.\n\n- one\n- two\n";
  expect(through(short, size)).toBe(short);
});

test.each([1, 5, 1_000])("talk holds no HTML and no script, in pieces of %i as well", (size) => {
  const text = through("<script>x</script> [a](javascript:x) ![b](https://example.org/b.png)", size);
  expect(text).toBe("&lt;script>x&lt;/script> [a] (javascript:x) [b](https://example.org/b.png)");
});
