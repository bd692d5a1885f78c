// Faults of the answer of a model endpoint, each with its end.

import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { createMessage } from "../../src/language/messages.ts";
import { createBodyScript, createJsonScript, type FaultRow } from "./endpoint-faults.ts";
import { createStreamScript, DONE, deltaFrame, finishFrame, textFrame, toSseFrame } from "./scripted-endpoint.ts";

const createCallFrame = (...calls: readonly object[]) =>
  deltaFrame({ tool_calls: calls.map((call, index) => ({ index, id: `c${index}`, function: call })) });
/** Sends one line without end. */
const sendEndlessLine = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const more = () => {
    while (!response.destroyed && response.write("x".repeat(100_000)));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
};
const EVENT_TOO_LONG = createMessage("model.eventTooLong", { megabytes: 3 });

export const CONTENT_FAULTS: readonly FaultRow[] = [
  ["answers a page", createBodyScript("text/html", "<html>"), "model_refused", 1, "model.webPage"],
  [
    "answers a page as text",
    createBodyScript("text/plain", "\n<!DOCTYPE html><html>"),
    "model_refused",
    1,
    "model.webPage",
  ],
  [
    "sends JSON that is cut",
    createStreamScript(textFrame("par"), 'data: {"choices":[{"del\n\n'),
    "model_malformed",
    1,
    "model.answerUnreadable",
    "par",
  ],
  [
    "sends a line that is not JSON",
    createStreamScript("data: nope\n\n"),
    "model_malformed",
    1,
    "model.answerUnreadable",
  ],
  [
    "sends a document that is not JSON",
    createBodyScript("application/json", "{nope"),
    "model_malformed",
    1,
    "model.answerUnreadable",
  ],
  ["sends an empty document", createBodyScript("application/json", ""), "model_malformed", 1, "model.answerUnreadable"],
  [
    "sends bytes that are not UTF-8",
    createBodyScript("text/event-stream", Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0x20, 0xff, 0xfe, 10, 10)),
    "model_malformed",
    1,
    "model.answerUnreadable",
  ],
  ["sends null as its document", createJsonScript(null), "model_malformed", 1, "model.emptyAnswer"],
  ["sends another schema", createJsonScript({ answer: 42 }), "model_malformed", 1, "model.emptyAnswer"],
  [
    "sends no choices",
    createStreamScript(toSseFrame({ choices: [] }), DONE),
    "model_malformed",
    1,
    "model.emptyAnswer",
  ],
  [
    "sends an empty text without an end",
    createStreamScript(textFrame(""), DONE),
    "model_malformed",
    1,
    "model.emptyAnswer",
  ],
  [
    "sends only spaces without an end",
    createStreamScript(textFrame(" \n"), DONE),
    "model_malformed",
    1,
    "model.emptyAnswer",
    " \n",
  ],
  [
    "sends fields of the wrong types",
    createStreamScript(toSseFrame({ choices: [{ delta: { content: 7, tool_calls: "x" } }] }), DONE),
    "model_malformed",
    1,
    "model.emptyAnswer",
  ],
  [
    "reaches its length limit before a word",
    createStreamScript(deltaFrame({ reasoning: "hm" }), finishFrame("length"), DONE),
    "model_malformed",
    1,
    "model.lengthLimit",
    "hm",
  ],
  [
    "reaches its length limit in a tool call",
    createStreamScript(createCallFrame({ name: "f", arguments: '{"x":' }), finishFrame("length"), DONE),
    "model_malformed",
    1,
    "model.lengthLimitInToolCall",
  ],
  [
    "filters its whole answer",
    createStreamScript(finishFrame("content_filter"), DONE),
    "model_refused",
    1,
    "model.contentFiltered",
  ],
  [
    "calls a tool without a name",
    createStreamScript(createCallFrame({ arguments: "{}" }), finishFrame("tool_calls"), DONE),
    "model_malformed",
    1,
    "model.unnamedTool",
  ],
  [
    "calls 10,000 tools",
    createStreamScript(createCallFrame(...Array.from({ length: 10_000 }, () => ({ name: "f", arguments: "{}" })))),
    "model_malformed",
    1,
    createMessage("model.tooManyToolCalls", { limit: 128 }),
  ],
  [
    "calls a tool with arguments of 600 kB",
    createStreamScript(createCallFrame({ name: "f", arguments: "x".repeat(600_000) })),
    "model_malformed",
    1,
    createMessage("model.answerTooLong", { megabytes: 0.5 }),
  ],
  [
    "sends an event of 4 MB",
    createStreamScript(`data: ${"x".repeat(4 * 1_048_576)}`),
    "model_malformed",
    1,
    EVENT_TOO_LONG,
  ],
  [
    "sends a gzip bomb",
    createBodyScript("text/event-stream", gzipSync("x".repeat(50_000_000)), { "content-encoding": "gzip" }),
    "model_malformed",
    1,
    EVENT_TOO_LONG,
  ],
  ["drips one line without end", sendEndlessLine, "model_malformed", 1, EVENT_TOO_LONG],
  [
    "finishes with an error",
    createStreamScript(textFrame("par"), finishFrame("error"), DONE),
    "model_interrupted",
    1,
    "model.interrupted",
    "par",
  ],
];
