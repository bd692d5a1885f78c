// Faults of a model endpoint before its answer and of its connection, each with its end.

import type { MessageKey, Message } from "../../src/language/messages.ts";
import { createMessage } from "../../src/language/messages.ts";
import {
  createErrorScript,
  createStreamScript,
  KEY,
  openStream,
  textFrame,
  type EndpointScript,
} from "./scripted-endpoint.ts";

/**
 * One fault. `what` completes "an endpoint that …". `attempts` is the number of requests until the end: a call whose text
 * has reached a reader is not repeated. `says` is the sentence for the reader, `streamed` the output before the fault.
 */
export type FaultRow = readonly [
  what: string,
  script: EndpointScript,
  code: "model_unavailable" | "model_refused" | "model_interrupted" | "model_malformed",
  attempts: number,
  says: MessageKey | Message,
  streamed?: string | undefined,
];

export const createBodyScript =
  (type: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): EndpointScript =>
  (response) =>
    void response.writeHead(200, { "content-type": type, ...headers }).end(body);
export const createJsonScript = (body: unknown): EndpointScript =>
  createBodyScript("application/json", JSON.stringify(body));
/** Sends these frames, and then nothing more, or a break after 50 ms, so that the frames arrive first. */
const createBrokenScript =
  (end: "stall" | "cut", ...frames: string[]): EndpointScript =>
  (response) => {
    openStream(response);
    response.flushHeaders();
    for (const frame of frames) response.write(frame);
    if (end === "cut") setTimeout(() => response.destroy(), 50);
  };

export const formatUnavailable = (status: number): Message => createMessage("model.unavailable", { status });
export const formatRejected = (status: number): Message =>
  createMessage("model.requestRejected", { status, model: "test-model" });
export const NOT_ALLOWED = createMessage("model.modelNotAllowed", { model: "test-model" });
export const NOT_FOUND = createMessage("model.modelNotFound", { model: "test-model" });
const SILENT = createMessage("model.silent", { seconds: 0.3 });

export const STATUS_FAULTS: readonly FaultRow[] = [
  ...[500, 502, 503, 504, 520, 529, 408, 409, 425].map((status): FaultRow => [
    `always answers ${status}`,
    createErrorScript(status, { "retry-after": "0" }),
    "model_unavailable",
    3,
    formatUnavailable(status),
  ]),
  ["always answers 429", createErrorScript(429, { "retry-after": "0" }), "model_unavailable", 3, "model.rateLimited"],
  [
    "answers 429 and wants to rest for an hour",
    createErrorScript(429, { "retry-after": "3600" }),
    "model_unavailable",
    1,
    createMessage("model.rateLimitedFor", { duration: createMessage("duration.minutes", { count: 60 }) }),
  ],
  [
    "answers 503 and wants to rest for two days",
    createErrorScript(503, { "retry-after": "172800" }),
    "model_unavailable",
    1,
    createMessage("model.unavailableFor", { status: 503, duration: createMessage("duration.days", { count: 2 }) }),
  ],
  [
    "answers 429 for a quota that is used up",
    createErrorScript(429, {}, { message: "pay", code: "insufficient_quota" }),
    "model_refused",
    1,
    "model.quotaExhausted",
  ],
  ["answers 402", createErrorScript(402), "model_refused", 1, "model.quotaExhausted"],
  [
    "answers 401",
    createErrorScript(401, {}, { message: `the key ${KEY} is bad` }),
    "model_refused",
    1,
    "model.keyRejected",
  ],
  ["answers 403", createErrorScript(403), "model_refused", 1, NOT_ALLOWED],
  ["answers 404", createErrorScript(404), "model_refused", 1, NOT_FOUND],
  ["answers 413", createErrorScript(413), "model_refused", 1, "model.conversationTooLong"],
  [
    "answers 400 for a context that is too long",
    createErrorScript(400, {}, { message: "long", code: "context_length_exceeded" }),
    "model_refused",
    1,
    "model.conversationTooLong",
  ],
  ...[400, 405, 410, 415, 418, 422, 451].map((status): FaultRow => [
    `answers ${status}`,
    createErrorScript(status, {}, { message: `the key ${KEY} is bad` }),
    "model_refused",
    1,
    formatRejected(status),
  ]),
  [
    "answers 500 with a page that never ends",
    (response) => {
      response.writeHead(500, { "content-type": "text/html" });
      const more = () => {
        while (!response.destroyed && response.write("<p>secret</p>".repeat(100)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
    "model_unavailable",
    3,
    formatUnavailable(500),
  ],
  [
    "redirects to a metadata address",
    (response) => void response.writeHead(307, { location: "http://169.254.169.254/" }).end(),
    "model_refused",
    1,
    createMessage("model.redirected", { status: 307 }),
  ],
];

export const CONNECTION_FAULTS: readonly FaultRow[] = [
  [
    "resets every connection",
    (response) => void response.socket?.resetAndDestroy(),
    "model_unavailable",
    3,
    "model.unreachable",
  ],
  [
    "does not speak HTTP",
    (response) => void response.socket?.end("hello\r\n\r\n"),
    "model_unavailable",
    3,
    "model.unreachable",
  ],
  [
    "sends a header of 200 kB",
    (response) => void response.writeHead(200, { "x-padding": "x".repeat(200_000) }).end(),
    "model_unavailable",
    3,
    "model.unreachable",
  ],
  ["is silent before its headers", () => {}, "model_interrupted", 1, SILENT],
  ["is silent after its headers", createBrokenScript("stall"), "model_interrupted", 1, SILENT],
  ["is silent in the middle", createBrokenScript("stall", textFrame("par")), "model_interrupted", 1, SILENT, "par"],
  ["is silent in the middle of a line", createBrokenScript("stall", 'data: {"cho'), "model_interrupted", 1, SILENT],
  ["disconnects before the first word", createBrokenScript("cut"), "model_interrupted", 1, "model.connectionLost"],
  [
    "disconnects in the middle",
    createBrokenScript("cut", textFrame("par")),
    "model_interrupted",
    1,
    "model.connectionLost",
    "par",
  ],
  [
    "sends less than it promised",
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" }).write('{"choices":');
      setTimeout(() => response.destroy(), 50);
    },
    "model_interrupted",
    1,
    "model.connectionLost",
  ],
  [
    "ends its stream early",
    createStreamScript(textFrame("par")),
    "model_interrupted",
    1,
    "model.connectionLost",
    "par",
  ],
  ["ends its stream at once", createStreamScript(), "model_interrupted", 1, "model.connectionLost"],
  [
    "sends only comments",
    createStreamScript(": wait\n\n", ": wait\n\n"),
    "model_interrupted",
    1,
    "model.connectionLost",
  ],
  [
    "sends invalid gzip",
    createBodyScript("text/event-stream", "this is not gzip", { "content-encoding": "gzip" }),
    "model_interrupted",
    1,
    "model.connectionLost",
  ],
];
