// `npm run ask` with an approval, and the example of the typed client.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ask } from "../../../scripts/ask/ask-thread.ts";
import { readOptions } from "../../../scripts/ask/options.ts";
import { withGuestbook } from "../../support/guestbook.ts";
import { shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import { ROOT } from "../../support/workers.ts";

let runtime: SharedRuntime;

beforeAll(async () => {
  runtime = await shareRuntime(withGuestbook());
});

test("ask reports an invalid answer and asks the question again", async () => {
  const options = readOptions(["--url", runtime.url, "Sign the guestbook with 'Hello'"], {});
  if (options === null) throw new Error("Unexpected --help");
  const answers = ["perhaps", "approve"];
  const notices: string[] = [];
  const eventNames: string[] = [];
  const { outcome } = ask(options, {
    onFrame: ({ event }) => eventNames.push(event),
    onNotice: (notice) => notices.push(notice),
    answerQuestion: async () => answers.shift() ?? null,
  });
  expect((await outcome).kind).toBe("completed");
  expect(notices).toEqual(["message: must be “approve” or “refuse”"]);
  expect(eventNames.filter((event) => event === "task_waiting")).toHaveLength(1);
  expect(eventNames.at(-1)).toBe("done");
});

test("the client example prints the events, the answer and the task statuses and exits", async () => {
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
