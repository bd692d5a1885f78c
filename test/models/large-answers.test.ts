// Answers that are longer than a row, or than one piece of work may be.

import { expect, test } from "vitest";
import type { ModelDelta } from "../../src/core/ports.ts";
import { countBytes } from "../../src/lib/text-size.ts";
import type { Failure } from "../../src/protocol/wire/message-error.ts";
import { pickByLength } from "../support/run-length.ts";
import {
  completeOnce,
  createStreamScript,
  createTestModel,
  deltaFrame,
  DONE,
  finishFrame,
  serveScripts,
  textFrame,
  toSseFrame,
} from "./scripted-endpoint.ts";

const LIMIT = pickByLength(1_048_576 / 4, 2 * 1_048_576);
const MEGABYTES = LIMIT / 1_048_576;
const NOTICE = ` [The answer ends here because it reached the limit of ${MEGABYTES} MB.]`;
const joinText = (deltas: readonly ModelDelta[]) => deltas.map(({ text }) => text).join("");

test.each([
  ["one delta", (text: string) => [text]],
  ["many deltas", (text: string) => text.match(/.{1,50000}/gsu) ?? []],
])(
  "[I43] an answer in %s keeps exactly the beginning that fits and ends with a notice, without another call",
  async (_, split) => {
    for (const unit of ["a", "字", "😀"]) {
      const whole = unit.repeat(Math.floor(LIMIT / countBytes(unit)));
      const fill = "a".repeat(LIMIT - countBytes(whole));
      for (const extra of ["", unit]) {
        const frames = split(fill + whole + extra).map(textFrame);
        const { url, requests } = await serveScripts(createStreamScript(...frames, finishFrame(), DONE));
        const { completion, deltas } = await completeOnce(createTestModel({ url, maxAnswerBytes: LIMIT }));
        expect(completion.text === `${fill}${whole}${extra === "" ? "" : formatNotice(unit)}`).toBe(true);
        expect(joinText(deltas) === completion.text).toBe(true);
        expect(deltas.every(({ text }) => text.length <= 16_384 && text.isWellFormed())).toBe(true);
        expect(requests).toHaveLength(1);
      }
    }
  },
);

/** The notice is in the language of the answer. */
function formatNotice(unit: string): string {
  return unit === "字" ? ` ［回答到此中断：已达到 ${MEGABYTES} MB 的上限。］` : NOTICE;
}

test("[I43] an answer that is too long keeps its text, and its incomplete tool calls do not count", async () => {
  const call = { tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "x".repeat(200) } }] };
  const { url, requests } = await serveScripts(createStreamScript(textFrame("Hello."), deltaFrame(call), DONE));
  const { completion } = await completeOnce(createTestModel({ url, maxAnswerBytes: 100 }));
  expect(completion).toMatchObject({
    toolCalls: [],
    text: expect.stringMatching(/^Hello\. \[The answer ends/) as string,
  });
  expect(requests).toHaveLength(1);
});

const TOO_LONG = "The model’s answer is longer than the limit of 2 MB.";
const TOO_LARGE = "The model sent more than 3 MB in one piece, which can’t be processed.";
const longText = "Some words. ".repeat(350_000);

test.each([
  [
    "reasoning of 4 MB without text",
    [...Array<string>(4).fill(deltaFrame({ reasoning: "x".repeat(1_048_576) }))],
    TOO_LONG,
  ],
  [
    "a tool call of 4 MB",
    [
      ...Array<string>(4).fill(
        deltaFrame({ tool_calls: [{ index: 0, function: { name: "f", arguments: "x".repeat(1_048_576) } }] }),
      ),
    ],
    TOO_LONG.replace("2 MB", "0.5 MB"),
  ],
  ["a delta of 4 MB", [textFrame("Hello."), textFrame(longText)], TOO_LARGE],
  ["a line of 4 MB that never ends", [textFrame("Hello."), "x".repeat(4_194_304)], TOO_LARGE],
  [
    "an event of many lines",
    [
      Array<string>(50)
        .fill(`data: ${"x".repeat(100_000)}\n`)
        .join(""),
    ],
    TOO_LARGE,
  ],
])("[I43] %s is a final failure after the text before it, without another call", async (_, frames, message) => {
  const { url, requests } = await serveScripts(createStreamScript(...frames, finishFrame(), DONE));
  const texts: string[] = [];
  const request = { role: "triage", messages: [], signal: new AbortController().signal };
  const failure = await createTestModel({ url })
    .complete(request, ({ type, text }) => type === "text" && texts.push(text))
    .catch((thrown: Failure) => thrown);
  expect(failure).toMatchObject({ code: "model_malformed", retryable: false });
  expect((failure as Failure).message).toBe(message);
  expect(texts).toEqual(frames[0] === textFrame("Hello.") ? ["Hello."] : []);
  expect(requests).toHaveLength(1);
});

test("[I43] a document of 4 MB is a final failure, and one of 1 MB is an answer", async () => {
  for (const megabytes of [1, 4]) {
    const content = "x".repeat(megabytes * 1_048_576);
    const { url } = await serveScripts((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }));
    });
    const outcome = await completeOnce(createTestModel({ url })).catch((thrown: Failure) => thrown);
    expect(outcome).toMatchObject(
      megabytes === 1 ? { completion: { text: content } } : { code: "model_malformed", retryable: false },
    );
  }
});

test("[I43] other work runs between the pieces of a long delta, and an error comes after all of them", async () => {
  const text = "Some words. ".repeat(50_000);
  const { url } = await serveScripts(
    createStreamScript(textFrame(text), toSseFrame({ error: { code: 400, message: "no" } })),
  );
  let timers = 0;
  const timer = setInterval(() => (timers += 1), 0);
  const deltas: ModelDelta[] = [];
  let timersAtFirst: number | undefined;
  const request = { role: "triage", messages: [], signal: new AbortController().signal };
  const failure = await createTestModel({ url })
    .complete(request, (delta) => {
      timersAtFirst ??= timers;
      deltas.push(delta);
    })
    .catch((thrown: Failure) => thrown);
  clearInterval(timer);
  expect(failure).toMatchObject({ code: "model_refused" });
  expect(joinText(deltas)).toBe(text);
  expect(timers - (timersAtFirst ?? 0)).toBeGreaterThan(deltas.length / 2);
});

test("[T5] [I43] after an abort no further piece of a long delta is passed on", async () => {
  const { url } = await serveScripts(createStreamScript(textFrame("x".repeat(1_000_000)), finishFrame(), DONE));
  const controller = new AbortController();
  let count = 0;
  const request = { role: "triage", messages: [], signal: controller.signal };
  const completing = createTestModel({ url }).complete(request, () => {
    count += 1;
    if (count === 3) controller.abort(new Error("stop"));
  });
  await expect(completing).rejects.toThrow("stop");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(count).toBe(3);
});

test("a long stream of short deltas is read to its end", { timeout: 60_000 }, async () => {
  const count = pickByLength(5_000, 100_000);
  const frames = Array.from({ length: count }, (_, i) => textFrame(`${i} `));
  const { url } = await serveScripts(createStreamScript(frames.join(""), finishFrame(), DONE));
  const { completion } = await completeOnce(createTestModel({ url }));
  expect(completion.text).toBe(Array.from({ length: count }, (_, i) => `${i} `).join(""));
});
