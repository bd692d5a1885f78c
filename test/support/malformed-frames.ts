// What somebody may send on a socket who means no good, or knows no better. The same seed makes the same.

import { between } from "./random.ts";

/** One frame: text, or bytes. */
export type OddFrame = string | Uint8Array;

export function oddFrame(random: () => number): OddFrame {
  const pick = <T>(options: readonly T[]): T => options[between(random, 0, options.length - 1)] as T;
  return pick(KINDS)(random, pick);
}

type Pick = <T>(options: readonly T[]) => T;
type Kind = (random: () => number, pick: Pick) => OddFrame;

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

const KINDS: readonly Kind[] = [
  (random) => Uint8Array.from({ length: between(random, 0, 300) }, () => between(random, 0, 255)),
  (random) => String.fromCharCode(...Array.from({ length: between(random, 0, 60) }, () => between(random, 0, 0x2fff))),
  (random, pick) => JSON.stringify(strange(random, pick, 0)),
  // A command cut in the middle.
  (random, pick) => {
    const text = JSON.stringify(command(random, pick));
    return text.slice(0, between(random, 0, text.length - 1));
  },
  // A command with something wrong in it.
  (random, pick) => JSON.stringify({ ...command(random, pick), [pick(KEYS)]: strange(random, pick, 0) }),
  (random, pick) =>
    JSON.stringify({ ...command(random, pick), type: pick(["", "SEND", "sendx", "subscribe", "__proto__"]) }),
  (random, pick) =>
    JSON.stringify(command(random, pick)).replace("{", `{${JSON.stringify(pick(STRANGE_KEYS))}:{"a":1},`),
  (random, pick) => JSON.stringify(command(random, pick)).replaceAll('"', pick(["'", "“", '"\\u0000', '\\"'])),
  // Deep, in the place of a command and within one.
  (random, pick) => nested(between(random, 1, 20_000), pick),
  (random, pick) =>
    `{"type":"send","id":"x","message":"m","context":{"a":${nested(between(random, 33, 9_000), pick)}}}`,
  // Long, about where the limits are.
  (random, pick) =>
    JSON.stringify({ type: "send", id: "x".repeat(between(random, 120, 140)), message: pick(["", " ", "\n"]) }),
  (random) => JSON.stringify({ type: "send", id: "x", message: "é".repeat(between(random, 32_760, 40_000)) + "é" }),
  (random) => "[".repeat(between(random, 1, 200_000)),
  (random) => `"${"\\ud800".repeat(between(random, 1, 100))}"`,
  (_, pick) =>
    pick(["", " ", "null", "true", "0", "-0", "1e999", "[]", "{}", '""', "pong", "PING", "ping ", "\ufeff{}", "NaN"]),
  // Commands that are right, about what there is not.
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

function command(random: () => number, pick: Pick): Record<string, unknown> {
  const id = `c-${between(random, 0, 1_000_000)}`;
  // Without a word in it, so that none of them becomes a message by chance.
  return pick([
    { type: "send", id, message: " " },
    { type: "resume", id, message: "\t" },
    { type: "cancel", id, thread_id: "th-none" },
  ]);
}

function strange(random: () => number, pick: Pick, depth: number): unknown {
  const inner = () => (depth > 3 ? null : strange(random, pick, depth + 1));
  return pick<() => unknown>([
    () => null,
    () => pick([0, -1, 1e308, 2 ** 53, 0.1]),
    () => random() < 0.5,
    () => pick(["", "\u0000", "\ud800", "\udc00\ud800", "x".repeat(1_000), "‮", "💥"]),
    () => Array.from({ length: between(random, 0, 5) }, inner),
    () =>
      Object.fromEntries(
        Array.from({ length: between(random, 0, 5) }, () => [pick([...KEYS, ...STRANGE_KEYS]), inner()]),
      ),
  ])();
}

function nested(levels: number, pick: Pick): string {
  const [open, close] = pick([
    ["[", "]"],
    ['{"a":', "}"],
    ['{"__proto__":', "}"],
  ] as const);
  return open.repeat(levels) + "1" + close.repeat(levels);
}
