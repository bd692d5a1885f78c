// The program itself, against a scripted server over real sockets.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { ConversationEvent } from "../../src/protocol/wire/events.ts";
import { answer, scriptedServer, type ScriptedServer } from "../client/scripted-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const thread = { conversation_id: "conv-1", role: "agent", thread_id: "th-1" } as const;
let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

test("prints the answer as text and ends with 0", async () => {
  const { code, out } = await ask([await serverUrl(), "hello"]);
  expect(out).toBe("Orrery: You said hello\ndone\nconversation conv-1\n");
  expect(code).toBe(0);
});

test("--json prints the frames of the thread and nothing else", async () => {
  const { code, out } = await ask([await serverUrl(), "--json", "--agent", "Echo", "--language", "de", "hello"]);
  const frames = out
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(frames).toEqual(server?.log);
  expect(server?.commands[0]).toMatchObject({ type: "send", message: "hello", agent: "Echo", language: "de" });
  expect(code).toBe(0);
});

test("a failed task ends it with 1, though `done` came", async () => {
  const url = await serverUrl();
  const failing: ConversationEvent[] = [
    { event: "task_failed", data: { ...thread, task_id: "task-1", item_id: "i", payload: { content: "No way." } } },
    { event: "done", data: { ...thread, item_id: "j" } },
  ];
  const { code, out } = await ask([url, "hello"], { reply: () => failing });
  expect(out).toContain("✗ Orrery failed: No way.");
  expect(code).toBe(1);
});

test("a question that nobody answers is printed with how to answer it, and ends with 1", async () => {
  const url = await serverUrl();
  const payload = { content: "Which city?", request_id: "ask-1", options: ["Oslo", "Rome"] };
  const { code, out, err } = await ask([url, "weather"], {
    reply: () => [{ event: "plan_require_user_input", data: { ...thread, item_id: "i", payload } }],
  });
  expect(out).toBe("? Orrery asks: Which city? [Oslo | Rome]\n");
  expect(err).toBe(`Answer with: npm run ask -- --url ${server?.url} --conversation conv-1 "your answer"\n`);
  expect(code).toBe(1);
});

test("Ctrl-C cancels the thread once and waits for its end", async () => {
  const url = await serverUrl();
  const { code, err } = await ask([url, "long"], {
    reply: () => answer("th-1", "long").slice(0, 2),
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

test("a direct answer that was cancelled says so, and ends with 1", async () => {
  const stopped: ConversationEvent = {
    event: "done",
    data: { ...thread, item_id: "j", metadata: { cancelled: true } },
  };
  const { code, out } = await ask([await serverUrl(), "long"], {
    reply: () => [...answer("th-1", "long").slice(0, 2), stopped],
  });
  expect(out).toContain("\ncancelled\n");
  expect(code).toBe(1);
});

test.each([
  { args: [], says: "There is no message." },
  { args: ["--url", "http://127.0.0.1:9", "hello"], says: "Start it with: npm start" },
  { args: ["--nonsense", "hello"], says: "Unknown option '--nonsense'. See: npm run ask -- --help" },
  { args: ["--url", "localhost:8787", "hello"], says: "such as http://localhost:8787, not localhost:8787" },
])("wrong use and no server end with 2 and a sentence: $args", async ({ args, says }) => {
  const { code, err } = await ask(args);
  expect(err).toContain(says);
  expect(code).toBe(2);
});

test("a reader who has seen enough is no reason to complain", async () => {
  const url = await serverUrl();
  const { err } = await ask([url, "--json", "hello"], {
    reply: () => answer("th-1", "hello").slice(0, 2),
    onOutput: (child) => {
      child.stdout?.destroy();
      server?.emit(...answer("th-1", "hello").slice(2));
    },
  });
  expect(err).toBe("");
});

test("a refused message ends with 2 and the reason", async () => {
  const { code, err } = await ask([await serverUrl(), "forbidden word"]);
  expect(err).toContain("The server refuses the message: message: not that word");
  expect(code).toBe(2);
});

async function serverUrl(): Promise<string> {
  server = await scriptedServer();
  return `--url=${server.url}`;
}

type Script = {
  reply?: () => ConversationEvent[];
  onOutput?: (child: ReturnType<typeof spawn>) => void;
};

async function ask(args: readonly string[], { reply, onOutput }: Script = {}) {
  if (server !== undefined && reply !== undefined) server.misdeeds.reply = reply;
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
