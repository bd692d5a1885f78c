// Runs `npm run ask` as a process against a scripted server over real sockets.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { ConversationEvent } from "../../src/protocol/wire/events.ts";
import { createAnswerThread, startScriptedServer, type ScriptedServer } from "../client/scripted-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const thread = { conversation_id: "conv-1", role: "agent", thread_id: "th-1" } as const;
let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

test("ask prints the answer as text and exits with 0", async () => {
  const { code, out } = await runAsk([await startServer(), "hello"]);
  expect(out).toBe("Orrery: You said hello\ndone\nconversation conv-1\n");
  expect(code).toBe(0);
});

test("ask --json prints only the frames of the thread", async () => {
  const { code, out } = await runAsk([await startServer(), "--json", "--agent", "Echo", "--language", "de", "hello"]);
  const frames = out
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(frames).toEqual(server?.log);
  expect(server?.commands[0]).toMatchObject({ type: "send", message: "hello", agent: "Echo", language: "de" });
  expect(code).toBe(0);
});

test("ask exits with 1 after a failed task", async () => {
  const url = await startServer();
  const failing: ConversationEvent[] = [
    { event: "task_failed", data: { ...thread, task_id: "task-1", item_id: "i", payload: { content: "No way." } } },
    { event: "done", data: { ...thread, item_id: "j" } },
  ];
  const { code, out } = await runAsk([url, "hello"], { reply: () => failing });
  expect(out).toContain("✗ Orrery failed: No way.");
  expect(code).toBe(1);
});

test("ask prints an unanswered question with the command to answer it and exits with 1", async () => {
  const url = await startServer();
  const payload = { content: "Which city?", request_id: "ask-1", options: ["Oslo", "Rome"] };
  const { code, out, err } = await runAsk([url, "weather"], {
    reply: () => [{ event: "plan_require_user_input", data: { ...thread, item_id: "i", payload } }],
  });
  expect(out).toBe("? Orrery asks: Which city? [Oslo | Rome]\n");
  expect(err).toBe(`Answer with: npm run ask -- --url ${server?.url} --conversation conv-1 "your answer"\n`);
  expect(code).toBe(1);
});

test("ask cancels the thread once on Ctrl-C and waits for its end", async () => {
  const url = await startServer();
  const { code, err } = await runAsk([url, "long"], {
    reply: () => createAnswerThread("th-1", "long").slice(0, 2),
    onOutput: (child) => {
      child.kill("SIGINT");
      void vi
        .waitFor(() => expect(server?.commands.at(-1)?.type).toBe("cancel"))
        .then(() => {
          server?.emit(
            {
              event: "task_cancelled",
              data: { ...thread, task_id: "th-1", item_id: "i", payload: { content: "Stopped." } },
            },
            { event: "done", data: { ...thread, item_id: "j" } },
          );
        });
    },
  });
  expect(err).toContain("Cancelling");
  expect(server?.commands).toHaveLength(2);
  expect(server?.commands[1]).toMatchObject({ type: "cancel", thread_id: "th-1" });
  expect(code).toBe(1);
});

test("ask reports a cancelled direct answer and exits with 1", async () => {
  const doneEvent: ConversationEvent = {
    event: "done",
    data: { ...thread, item_id: "j", metadata: { cancelled: true } },
  };
  const { code, out } = await runAsk([await startServer(), "long"], {
    reply: () => [...createAnswerThread("th-1", "long").slice(0, 2), doneEvent],
  });
  expect(out).toContain("\ncancelled\n");
  expect(code).toBe(1);
});

test.each([
  { args: [], says: "The message is missing." },
  { args: ["--url", "http://127.0.0.1:9", "hello"], says: "Start it with: npm start" },
  { args: ["--nonsense", "hello"], says: "Unknown option '--nonsense'. See: npm run ask -- --help" },
  { args: ["--url", "localhost:8787", "hello"], says: "such as http://localhost:8787, not localhost:8787" },
])(
  "ask exits with 2 and an error message for invalid arguments or an unreachable server: $args",
  async ({ args, says }) => {
    const { code, err } = await runAsk(args);
    expect(err).toContain(says);
    expect(code).toBe(2);
  },
);

test("ask prints no error when the reader of its output closes the pipe", async () => {
  const url = await startServer();
  const { err } = await runAsk([url, "--json", "hello"], {
    reply: () => createAnswerThread("th-1", "hello").slice(0, 2),
    onOutput: (child) => {
      child.stdout?.destroy();
      server?.emit(...createAnswerThread("th-1", "hello").slice(2));
    },
  });
  expect(err).toBe("");
});

test("ask exits with 2 and the reason when the server rejects the message", async () => {
  const { code, err } = await runAsk([await startServer(), "forbidden word"]);
  expect(err).toContain("The server rejected the message: message: not that word");
  expect(code).toBe(2);
});

async function startServer(): Promise<string> {
  server = await startScriptedServer();
  return `--url=${server.url}`;
}

type AskScript = {
  reply?: () => ConversationEvent[];
  onOutput?: (child: ReturnType<typeof spawn>) => void;
};

async function runAsk(args: readonly string[], { reply, onOutput }: AskScript = {}) {
  if (server !== undefined && reply !== undefined) server.misbehavior.reply = reply;
  const child = spawn(process.execPath, [join(ROOT, "scripts", "ask.ts"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  if (onOutput !== undefined) child.stdout.once("data", () => onOutput(child));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, out, err };
}
