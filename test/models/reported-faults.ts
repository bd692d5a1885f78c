// Errors that a model endpoint reports in its answer, with status 200. Each ends in the words of the provider and a
// sentence of ours.

import { createMessage, type Message, type MessageKey } from "../../src/language/messages.ts";
import {
  createJsonScript,
  formatRejected,
  formatUnavailable,
  NOT_ALLOWED,
  NOT_FOUND,
  type FaultRow,
} from "./endpoint-faults.ts";
import {
  createStreamScript,
  finishFrame,
  KEY,
  textFrame,
  toSseFrame,
  type EndpointScript,
} from "./scripted-endpoint.ts";

type ReportRow = readonly [
  what: string,
  error: unknown,
  code: FaultRow[2],
  attempts: number,
  words: string,
  sentence: MessageKey | Message,
  streamed?: string,
];

/** Errors in the member `error` of a chunk, after the streamed text. */
const ERRORS: readonly ReportRow[] = [
  [
    "an invalid request",
    { type: "invalid_request_error", message: "No such tool." },
    "model_refused",
    1,
    "No such tool.",
    formatRejected(400),
  ],
  ["an error text", "boom", "model_interrupted", 1, "boom", "model.interrupted"],
  ["an error text after a few words", "boom", "model_interrupted", 1, "boom", "model.interrupted", "par"],
  ["overload", { type: "overloaded_error", message: "Busy" }, "model_unavailable", 3, "Busy", formatUnavailable(503)],
  [
    "overload after a few words",
    { code: 503, message: "Busy" },
    "model_interrupted",
    1,
    "Busy",
    formatUnavailable(503),
    "par",
  ],
  ["a rate limit", { type: "rate_limit_error", message: "Slow" }, "model_unavailable", 3, "Slow", "model.rateLimited"],
  ["a timeout", { type: "timeout_error", message: "Late" }, "model_unavailable", 3, "Late", formatUnavailable(504)],
  [
    "an invalid key",
    { code: "invalid_api_key", message: `Not ${KEY}` },
    "model_refused",
    1,
    "Not [key]",
    "model.keyRejected",
  ],
  ["a missing model", { code: "model_not_found", message: "Gone" }, "model_refused", 1, "Gone", NOT_FOUND],
  [
    "a request that is too large",
    { type: "request_too_large", message: "Big" },
    "model_refused",
    1,
    "Big",
    "model.conversationTooLong",
  ],
  [
    "a code that every object has",
    { code: "constructor", message: "Odd" },
    "model_interrupted",
    1,
    "Odd",
    "model.interrupted",
  ],
];

const NO_CREDITS = { code: 402, message: "No credits" };
/** Errors in other places than the member `error` of a chunk. */
const MISPLACED_ERRORS: readonly ReportRow[] = [
  [
    "an event named error",
    createStreamScript(
      `event: error\n${toSseFrame({ type: "error", error: { type: "billing_error", message: "Pay first" } })}`,
    ),
    "model_refused",
    1,
    "Pay first",
    "model.quotaExhausted",
  ],
  [
    "an error in its choice",
    createStreamScript(toSseFrame({ choices: [{ delta: {}, finish_reason: "error", error: NO_CREDITS }] })),
    "model_refused",
    1,
    "No credits",
    "model.quotaExhausted",
  ],
  [
    "an error after the finish reason error",
    createStreamScript(finishFrame("error"), toSseFrame({ error: { code: 403, message: "Blocked region" } })),
    "model_refused",
    1,
    "Blocked region",
    NOT_ALLOWED,
  ],
  [
    "a chunk that is an error",
    createStreamScript(toSseFrame({ object: "error", type: "BadRequestError", code: 400, message: "Odd template" })),
    "model_refused",
    1,
    "Odd template",
    formatRejected(400),
  ],
  [
    "a JSON error with status 200",
    createJsonScript({ error: { code: "context_length_exceeded", message: "Too long" } }),
    "model_refused",
    1,
    "Too long",
    "model.conversationTooLong",
  ],
  [
    "a JSON choice with an error",
    createJsonScript({ choices: [{ error: NO_CREDITS }] }),
    "model_refused",
    1,
    "No credits",
    "model.quotaExhausted",
  ],
];

function toFaultRow([what, sent, code, attempts, words, sentence, streamed]: ReportRow): FaultRow {
  const before = streamed === undefined ? [] : [textFrame(streamed)];
  const script =
    typeof sent === "function" ? (sent as EndpointScript) : createStreamScript(...before, toSseFrame({ error: sent }));
  const says = createMessage("model.reportedError", {
    words,
    sentence: typeof sentence === "string" ? createMessage(sentence) : sentence,
  });
  return [`reports ${what}`, script, code, attempts, says, streamed];
}

export const REPORTED_FAULTS: readonly FaultRow[] = [...ERRORS, ...MISPLACED_ERRORS].map(toFaultRow);
