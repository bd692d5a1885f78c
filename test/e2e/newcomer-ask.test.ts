// What is tried first, from outside: a person at a terminal who is asked for leave, and the example of the client.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../../scripts/ask/exchange.ts";
import { readOptions } from "../../scripts/ask/options.ts";
import { withGuestbook } from "../support/guestbook.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { ROOT } from "../support/workers.ts";

let runtime: Runtime;

beforeAll(async () => {
  runtime = await startRuntime(withGuestbook());
});
afterAll(() => runtime.stop());

test("an answer that will not do is said to be so, and the question asked again", async () => {
  const options = readOptions(["--url", runtime.url, "Sign the guestbook with 'Hello'"], {});
  if (options === null) throw new Error("It asks for help.");
  const answers = ["perhaps", "approve"];
  const told: string[] = [];
  const heard: string[] = [];
  const { outcome } = ask(options, {
    hear: ({ event }) => heard.push(event),
    tell: (notice) => told.push(notice),
    answer: async () => answers.shift() ?? null,
  });
  expect((await outcome).kind).toBe("well");
  expect(told).toEqual(["message: answer “approve” or “refuse”."]);
  expect(heard.filter((event) => event === "task_waiting")).toHaveLength(1);
  expect(heard.at(-1)).toBe("done");
});

test("the example of the client tells what was answered and how the tasks went, and ends", async () => {
  const child = spawn(
    process.execPath,
    [join(ROOT, "examples/client/talk.ts"), "先查询现在时间，然后计算678乘以8776"],
    {
      env: { ...process.env, ORRERY_URL: runtime.url },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  expect(code).toBe(0);
  expect(out).toMatch(/^1 conversation_started\n2 thread_started\n/);
  expect(out).toContain("assistant: 678 × 8776 = 5950128\n");
  expect(out.match(/: completed\n/g)).toHaveLength(2);
});
