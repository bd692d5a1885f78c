// Malformed socket frames of a hostile or broken client. The same seed produces the same frames.

import { randomBetween } from "./random.ts";

/** One frame: text or bytes. */
export type MalformedFrame = string | Uint8Array;

export function createMalformedFrame(random: () => number): MalformedFrame {
  const pick = <T>(options: readonly T[]): T => options[randomBetween(random, 0, options.length - 1)] as T;
  return pick(GENERATORS)(random, pick);
}

type PickFunction = <T>(options: readonly T[]) => T;
type FrameGenerator = (random: () => number, pick: PickFunction) => MalformedFrame;

const KEYS = [
  "type",
  "id",
  "message",
  "agent",
  "language",
  "timezone",
  "context",
  "thread_id",
  "task_id",
  "request_id",
];
const STRANGE_KEYS = ["__proto__", "constructor", "prototype", "toString", "", "\u0000", "\ud800", "seq", "user_id"];

const GENERATORS: readonly FrameGenerator[] = [
  (random) => Uint8Array.from({ length: randomBetween(random, 0, 300) }, () => randomBetween(random, 0, 255)),
  (random) =>
    String.fromCharCode(
      ...Array.from({ length: randomBetween(random, 0, 60) }, () => randomBetween(random, 0, 0x2fff)),
    ),
  (random, pick) => JSON.stringify(createStrangeValue(random, pick, 0)),
  // A truncated command.
  (random, pick) => {
    const text = JSON.stringify(createCommand(random, pick));
    return text.slice(0, randomBetween(random, 0, text.length - 1));
  },
  // A command with an invalid field.
  (random, pick) =>
    JSON.stringify({ ...createCommand(random, pick), [pick(KEYS)]: createStrangeValue(random, pick, 0) }),
  (random, pick) =>
    JSON.stringify({ ...createCommand(random, pick), type: pick(["", "SEND", "sendx", "subscribe", "__proto__"]) }),
  (random, pick) =>
    JSON.stringify(createCommand(random, pick)).replace("{", `{${JSON.stringify(pick(STRANGE_KEYS))}:{"a":1},`),
  (random, pick) => JSON.stringify(createCommand(random, pick)).replaceAll('"', pick(["'", "“", '"\\u0000', '\\"'])),
  // Deeply nested JSON, in place of a command and inside one.
  (random, pick) => createNestedJson(randomBetween(random, 1, 20_000), pick),
  (random, pick) =>
    `{"type":"send","id":"x","message":"m","context":{"a":${createNestedJson(randomBetween(random, 33, 9_000), pick)}}}`,
  // Lengths near the limits.
  (random, pick) =>
    JSON.stringify({ type: "send", id: "x".repeat(randomBetween(random, 120, 140)), message: pick(["", " ", "\n"]) }),
  (random) =>
    JSON.stringify({ type: "send", id: "x", message: "é".repeat(randomBetween(random, 32_760, 40_000)) + "é" }),
  (random) => "[".repeat(randomBetween(random, 1, 200_000)),
  (random) => `"${"\\ud800".repeat(randomBetween(random, 1, 100))}"`,
  (_, pick) =>
    pick(["", " ", "null", "true", "0", "-0", "1e999", "[]", "{}", '""', "pong", "PING", "ping ", "\ufeff{}", "NaN"]),
  // Valid commands with ids that do not exist.
  (_, pick) =>
    JSON.stringify({
      type: "cancel",
      id: pick(["c", "\ud800", "𝕊", "é\u0000"]),
      thread_id: pick(["th-1", "", "\ud800", "'; DROP TABLE log"]),
    }),
  (_, pick) => JSON.stringify({ type: "cancel", id: "t", task_id: pick(["task-1", "__proto__", "\udfff"]) }),
  (_, pick) =>
    JSON.stringify({ type: "resume", id: "r", message: "yes", request_id: pick(["req-1", "__proto__", "\ud800"]) }),
];

function createCommand(random: () => number, pick: PickFunction): Record<string, unknown> {
  const id = `c-${randomBetween(random, 0, 1_000_000)}`;
  // Blank, so that no command is accepted as a message by chance.
  return pick([
    { type: "send", id, message: " " },
    { type: "resume", id, message: "\t" },
    { type: "cancel", id, thread_id: "th-none" },
  ]);
}

function createStrangeValue(random: () => number, pick: PickFunction, depth: number): unknown {
  const inner = () => (depth > 3 ? null : createStrangeValue(random, pick, depth + 1));
  return pick<() => unknown>([
    () => null,
    () => pick([0, -1, 1e308, 2 ** 53, 0.1]),
    () => random() < 0.5,
    () => pick(["", "\u0000", "\ud800", "\udc00\ud800", "x".repeat(1_000), "‮", "💥"]),
    () => Array.from({ length: randomBetween(random, 0, 5) }, inner),
    () =>
      Object.fromEntries(
        Array.from({ length: randomBetween(random, 0, 5) }, () => [pick([...KEYS, ...STRANGE_KEYS]), inner()]),
      ),
  ])();
}

function createNestedJson(levels: number, pick: PickFunction): string {
  const [open, close] = pick([
    ["[", "]"],
    ['{"a":', "}"],
    ['{"__proto__":', "}"],
  ] as const);
  return open.repeat(levels) + "1" + close.repeat(levels);
}
