// `npm start` and `npm run ask` together, with the embedded model, without a key or network access.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { frameSchema, type Frame } from "../../../src/protocol/wire/events.ts";
import { findFreePort } from "../../support/net.ts";
import { createApiUser } from "../../support/api-user.ts";
import { findViolations, foldVisibleState } from "../../support/invariants.ts";
import { EMPTY } from "../../support/unset-settings.ts";
import { ROOT } from "../../support/workers.ts";

const START_TIMEOUT_MS = 45_000;

let state: string;
let port: number;
let url: string;
let server: ReturnType<typeof startScript>;

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "orrery-ask-"));
  port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  server = startScript(["scripts/start.ts"], { PORT: String(port), ORRERY_STATE: state });
  await server.waitForOutput("Ctrl-C stops the server.");
}, START_TIMEOUT_MS);

afterAll(async () => {
  await server.stop();
  rmSync(state, { recursive: true, force: true });
});

test.each([
  ["现在几点了", /\d{4}-\d\d-\d\d|\d{1,2}[:：]\d\d/],
  ["首先查询现在时间然后计算678乘以8776的结果", /5950128/],
  ["告诉我现在时间、生成一个随机数、计算123加456", /579/],
  ["First look up the current time, then calculate 678 times 8776.", /5950128/],
  ["hello", /\S/],
])("[F01] ask prints the answer and exits with 0: %s", async (message, answer) => {
  const { code, out } = await runAsk(message);
  expect(out).toMatch(answer);
  expect(out).toMatch(/\nconversation conv-\w+\n$/);
  expect(code).toBe(0);
});

test("[F91] ask prints the plan with its tasks in order", async () => {
  const { out } = await runAsk("首先查询现在时间然后计算678乘以8776的结果");
  expect(out).toMatch(/Plan\n {2}1\. .+\n {2}2\. .+ after 1\)\n/);
});

test("[F61] ask --json prints only the events of the thread", async () => {
  const { code, out } = await runAsk("--json", "告诉我现在时间、生成一个随机数、计算123加456");
  const frames = out
    .trim()
    .split("\n")
    .map((line) => frameSchema.parse(JSON.parse(line)) as Frame);
  const history = await createApiUser(url).history(frames[0]?.data.conversation_id ?? "");
  expect(findViolations(history)).toEqual([]);
  expect(foldVisibleState(frames)).toEqual(foldVisibleState(history));
  expect(frames[0]).toEqual(history[1]);
  expect(frames.at(-1)).toEqual(history.at(-1));
  expect(frames.filter(({ event }) => event === "task_completed")).toHaveLength(3);
  expect(code).toBe(0);
});

test("[T3] ask prints the name of an unknown agent and exits with 1", async () => {
  const { code, out } = await runAsk("--agent", "nobody", "do something");
  expect(out).toContain("✗ The agent nobody doesn’t exist.");
  expect(code).toBe(1);
});

test("ask --conversation continues a conversation", async () => {
  const first = await runAsk("计算 40 加 2");
  const [, id = ""] = /conversation (conv-\w+)/.exec(first.out) ?? [];
  const second = await runAsk("--conversation", id, "hello");
  expect(second.out).toContain(`conversation ${id}`);
  expect(second.code).toBe(0);
});

test.each([
  { args: [], says: "The message is missing." },
  { args: ["--conversation", "conv-of-nobody", "hello"], says: "Conversation not found" },
  { args: ["x".repeat(70_000)], says: "must not exceed" },
])("ask exits with 2 and an error message for a message that cannot be sent: $says", async ({ args, says }) => {
  const { code, err } = await runAsk(...args);
  expect(err).toContain(says);
  expect(code).toBe(2);
});

async function runAsk(...args: readonly string[]) {
  const { ended } = startScript(["scripts/ask.ts", "--url", url, ...args], {});
  return ended;
}

/** Runs a script of the project like npm, in its own process group. */
function startScript(command: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["scripts/run.mjs", ...command], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...EMPTY, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, out, err }));
  });
  const waitForOutput = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => out.includes(text) && resolve();
      child.stdout.on("data", check);
      void ended.then(() => reject(new Error(`The process ended without printing “${text}”:\n${out}${err}`)));
    });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => killGroup(child.pid), 10_000);
    await ended;
    clearTimeout(timer);
    killGroup(child.pid);
  };
  return { ended, waitForOutput, stop };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}
