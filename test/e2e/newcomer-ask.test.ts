// A person at a terminal who is asked for leave, and says something else first.

import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../../scripts/ask/exchange.ts";
import { readOptions } from "../../scripts/ask/options.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;

beforeAll(async () => {
  runtime = await startRuntime({
    beside: {
      "orrery-guestbook": {
        config: "examples/guestbook-worker/wrangler.toml",
        entry: "examples/guestbook-worker/guestbook.ts",
      },
    },
    agents: { AGENT_GUESTBOOK: "orrery-guestbook" },
  });
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
