// An agent with one fixed behaviour for each case of the official test suite of A2A (a2a-tck), without a model. The case is
// the first name of `CASES` in the text of a message, or in its id if the suite calls this Worker directly.
//
//   npx wrangler dev -c examples/conformance-worker/wrangler.toml --port 9999

import type { AgentRunEvent, RunContext } from "../../src/agents/kit/agent.ts";
import { serveAgent } from "../../src/agents/kit/serve.ts";

/** The duration of a long task, and the interval of its signs of life, in milliseconds. */
const LONG_MS = 4_000;
const SIGN_MS = 500;

type Case = (context: RunContext) => AsyncIterable<AgentRunEvent> | Iterable<AgentRunEvent>;

const FILE = { name: "output.txt", media_type: "text/plain" };
const createComponent = (component_type: string, content: object): AgentRunEvent[] => [
  { type: "component", component_type, content: JSON.stringify(content) },
];

/** The behaviours by name. A name comes before every name that is a part of it. */
const CASES: readonly (readonly [name: string, run: Case])[] = [
  ["artifact-file-url", () => createComponent("file", { ...FILE, url: "https://example.com/output.txt" })],
  ["artifact-file", () => createComponent("file", { ...FILE, bytes: btoa("Content of the file") })],
  ["artifact-data", () => createComponent("data", { key: "value", count: 42 })],
  [
    "artifact-chunked",
    () => [
      { type: "text", text: "chunk-1 " },
      { type: "text", text: "chunk-2" },
    ],
  ],
  ["artifact-text", () => [{ type: "text", text: "Generated text content" }]],
  ["input-required", () => [{ type: "input_required", prompt: "Which case comes next?" }]],
  ["reject-task", () => [{ type: "failed", reason: "rejected" }]],
  ["until-cancelled", ({ signal }) => work(Infinity, signal)],
  ["test-resubscribe-message-id", ({ signal }) => work(LONG_MS, signal)],
];

/** Shows that the work goes on, until its time is over or `signal` aborts. */
async function* work(durationMs: number, signal: AbortSignal): AsyncGenerator<AgentRunEvent> {
  yield { type: "text", text: "At work. " };
  for (let elapsedMs = 0; elapsedMs < durationMs && !signal.aborted; elapsedMs += SIGN_MS) {
    await new Promise((resolve) => setTimeout(resolve, SIGN_MS));
    yield { type: "reasoning", text: "." };
  }
}

export default serveAgent({
  honours_scope: true,
  card: {
    name: "conformance",
    display_name: "Conformance",
    description: "Behaves as a message names it: artifact-text, artifact-file, artifact-data, input-required …",
    version: "1.0.0",
    hidden: true,
    skills: [
      {
        id: "conformance",
        name: "Conformance",
        description: "Answers with an artifact, asks a question, fails, or works until it is cancelled.",
        tags: ["test"],
        examples: ["artifact-data", "input-required", "until-cancelled"],
      },
    ],
  },
  async *run({ query, reply }, context) {
    const named = `${context.message.messageId} ${reply?.answer.message ?? query}`;
    const [, run] = CASES.find(([name]) => named.includes(name)) ?? [];
    yield* run?.(context) ?? [{ type: "text", text: "Hello from TCK" }];
  },
});
