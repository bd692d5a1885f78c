// What the documents show is true: every frame is valid, every link leads somewhere, the settings are all there.

import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { clientCommandSchema } from "../src/protocol/commands.ts";
import { frameSchema } from "../src/protocol/events.ts";
import { problemSchema } from "../src/protocol/fault.ts";
import { controlFrameSchema } from "../src/protocol/frames.ts";
import { settingsSchema } from "../src/settings.ts";

const SCHEMAS: Record<string, z.ZodType> = {
  frame: frameSchema,
  server: controlFrameSchema,
  command: clientCommandSchema,
  problem: problemSchema,
};

const pages = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md")].map((path) => ({
  path,
  text: readFileSync(path, "utf8"),
}));

const samples = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/```json (\w+)\n([\s\S]*?)```/g)].flatMap(([, kind = "", block = ""]) =>
    block
      .trim()
      .split("\n")
      .map((line) => ({ path, kind, line })),
  ),
);

describe("the documents", () => {
  test.each(samples)("$path shows a valid $kind: $line", ({ kind, line }) => {
    const schema = SCHEMAS[kind];
    expect(schema, `a schema for ${kind}`).toBeDefined();
    expect(schema?.safeParse(JSON.parse(line)).error).toBeUndefined();
  });

  test("have samples of every kind", () => {
    expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(Object.keys(SCHEMAS)));
  });

  test.each(pages)("$path links only to what is there", ({ path, text }) => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = ""]) =>
      join(dirname(path), target),
    );
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  test("docs/deploy.md lists every setting with its meaning", () => {
    const text = readFileSync("docs/deploy.md", "utf8");
    for (const [name, schema] of Object.entries(settingsSchema.shape)) {
      expect(text).toContain(`| \`${name}\` |`);
      expect(text).toContain(schema.description);
    }
  });
});
