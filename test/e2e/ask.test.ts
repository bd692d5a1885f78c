// `npm start` and `npm run ask` together, as a person uses them: the embedded model, no key, no network.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { frameSchema, type Frame } from "../../src/protocol/wire/events.ts";
import { freePort } from "../support/net.ts";
import { personAt } from "../support/person.ts";
import { breachesIn, pictureFrom } from "../support/rules.ts";
import { EMPTY } from "../support/unset.ts";
import { ROOT } from "../support/workers.ts";

const START_TIMEOUT_MS = 45_000;

let state: string;
let port: number;
let url: string;
let server: ReturnType<typeof run>;

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "orrery-ask-"));
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  await start();
}, START_TIMEOUT_MS);

afterAll(async () => {
  await server.end();
  rmSync(state, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = run(["scripts/start.ts"], { PORT: String(port), ORRERY_STATE: state });
  await server.says("Ctrl-C stops the server.");
}

test.each([
  ["现在几点了", /\d{4}-\d\d-\d\d|\d{1,2}[:：]\d\d/],
  ["首先查询现在时间然后计算678乘以8776的结果", /5950128/],
  ["告诉我现在时间、生成一个随机数、计算123加456", /579/],
  ["First look up the current time, then calculate 678 times 8776.", /5950128/],
  ["hello", /\S/],
])("[F01] answers and ends with 0: %s", async (message, answer) => {
  const { code, out } = await ask(message);
  expect(out).toMatch(answer);
  expect(out).toMatch(/\nconversation conv-\w+\n$/);
  expect(code).toBe(0);
});

test("[F91] shows the plan with its tasks in order", async () => {
  const { out } = await ask("首先查询现在时间然后计算678乘以8776的结果");
  expect(out).toMatch(/Plan\n {2}1\. .+\n {2}2\. .+ after 1\)\n/);
});

test("[F61] --json prints the thread's events and nothing else", async () => {
  const { code, out } = await ask("--json", "告诉我现在时间、生成一个随机数、计算123加456");
  const frames = out
    .trim()
    .split("\n")
    .map((line) => frameSchema.parse(JSON.parse(line)) as Frame);
  const history = await personAt(url).history(frames[0]?.data.conversation_id ?? "");
  expect(breachesIn(history)).toEqual([]);
  expect(pictureFrom(frames)).toEqual(pictureFrom(history));
  expect(frames[0]).toEqual(history[1]);
  expect(frames.at(-1)).toEqual(history.at(-1));
  expect(frames.filter(({ event }) => event === "task_completed")).toHaveLength(3);
  expect(code).toBe(0);
});

test("[T3] an agent that does not exist is a failure with its name, and ends with 1", async () => {
  const { code, out } = await ask("--agent", "nobody", "do something");
  expect(out).toContain("✗ The agent nobody does not exist.");
  expect(code).toBe(1);
});

test("a conversation goes on where it was", async () => {
  const first = await ask("计算 40 加 2");
  const [, id = ""] = /conversation (conv-\w+)/.exec(first.out) ?? [];
  const second = await ask("--conversation", id, "hello");
  expect(second.out).toContain(`conversation ${id}`);
  expect(second.code).toBe(0);
});

test.each([
  { args: [], says: "There is no message." },
  { args: ["--conversation", "conv-of-nobody", "hello"], says: "no such conversation" },
  { args: ["x".repeat(70_000)], says: "must not exceed" },
])("what cannot be asked ends with 2 and a sentence: $says", async ({ args, says }) => {
  const { code, err } = await ask(...args);
  expect(err).toContain(says);
  expect(code).toBe(2);
});

test(
  "[I1] what was said is there after everything was killed and started again, and goes on",
  async () => {
    const first = await ask("计算 40 加 2");
    const [, id = ""] = /conversation (conv-\w+)/.exec(first.out) ?? [];
    const before = await personAt(url).history(id);
    await server.kill();
    await start();
    expect(await personAt(url).history(id)).toEqual(before);
    expect((await ask("--conversation", id, "hello")).code).toBe(0);
    expect(breachesIn(await personAt(url).history(id))).toEqual([]);
  },
  START_TIMEOUT_MS,
);

async function ask(...args: readonly string[]) {
  const { ended } = run(["scripts/ask.ts", "--url", url, ...args], {});
  return ended;
}

/** Runs a script of the project as npm does, in a process group of its own. */
function run(command: readonly string[], env: Readonly<Record<string, string>>) {
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
  const says = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => out.includes(words) && resolve();
      child.stdout.on("data", look);
      void ended.then(() => reject(new Error(`It ended without saying “${words}”:\n${out}${err}`)));
    });
  const end = async (): Promise<void> => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => killGroup(child.pid), 10_000);
    await ended;
    clearTimeout(timer);
    killGroup(child.pid);
  };
  const kill = async (): Promise<void> => {
    killGroup(child.pid);
    await ended;
  };
  return { ended, says, end, kill };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
}
