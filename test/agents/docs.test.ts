// The samples of the guide are real files: a change to either without the other fails here.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const guide = readFileSync("docs/agents.md", "utf8");
const samples = [...guide.matchAll(/<!-- (file|part of): (\S+) -->\n```\w+\n([\s\S]*?)\n```/g)].map(
  ([, kind = "", path = "", sample = ""]) => ({ kind, path, sample }),
);

test("the guide shows the expected files", () => {
  expect(samples.map(({ path }) => path)).toEqual([
    "examples/clock-worker/clock.ts",
    "src/agents/assistant/agent.ts",
    "src/agents/assistant/tools.ts",
    "test/agents/fixtures/booking.ts",
    "examples/guestbook-worker/guestbook.ts",
    "examples/guestbook-worker/guestbook.ts",
    "wrangler.toml",
    "examples/clock-worker/wrangler.toml",
    "test/agents/fixtures/caller/wrangler.toml",
  ]);
});

test.each(samples)("the guide shows $path unchanged", ({ kind, path, sample }) => {
  const file = readFileSync(path, "utf8");
  const start = kind === "file" ? 0 : Math.max(0, file.indexOf(sample));
  expect(file.slice(start, kind === "file" ? undefined : start + sample.length).trimEnd()).toBe(sample);
});
