// Checks the documents: samples are valid, links have targets, code excerpts are current, all settings are listed.

import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createWebhookSecret, signWebhook } from "../src/core/schedules/webhook-signature.ts";
import { analysisReplySchema } from "../src/protocol/pages/analysis-api.ts";
import { clientCommandSchema } from "../src/protocol/wire/commands.ts";
import { datasetQuerySchema, datasetSchema } from "../src/protocol/datasets/dataset.ts";
import { frameSchema } from "../src/protocol/wire/events.ts";
import { problemDetailsSchema } from "../src/protocol/wire/fault.ts";
import { controlFrameSchema } from "../src/protocol/wire/server-frames.ts";
import { pageEventSchema } from "../src/protocol/pages/page.ts";
import { workflowConfigSchema } from "../src/protocol/workflows/workflow-template.ts";
import { updateScheduleSchema } from "../src/protocol/schedules/schedule.ts";
import { toolWithVersionsSchema } from "../src/protocol/tools/stored-tool.ts";
import { scheduleRunReportSchema } from "../src/protocol/schedules/schedule-run-report.ts";
import { settingsSchema } from "../src/settings.ts";

const SCHEMAS: Record<string, z.core.$ZodType> = {
  frame: frameSchema,
  server: controlFrameSchema,
  command: clientCommandSchema,
  problem: problemDetailsSchema,
  change: updateScheduleSchema,
  report: scheduleRunReportSchema,
  template: workflowConfigSchema,
  tool: toolWithVersionsSchema,
  dataset: datasetSchema,
  query: datasetQuerySchema,
  analysis: analysisReplySchema,
  page: pageEventSchema,
};

const documents = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md")].map((path) => ({
  path,
  text: readFileSync(path, "utf8"),
}));

const samples = documents.flatMap(({ path, text }) =>
  [...text.matchAll(/```json (\w+)\n([\s\S]*?)```/g)].flatMap(([, kind = "", block = ""]) =>
    block
      .trim()
      .split("\n")
      .map((line) => ({ path, kind, line })),
  ),
);

describe("documents", () => {
  test.each(samples)("$path contains a valid $kind: $line", ({ kind, line }) => {
    const schema = SCHEMAS[kind];
    expect(schema, `a schema for ${kind}`).toBeDefined();
    expect(z.safeParse(schema ?? z.never(), JSON.parse(line)).error).toBeUndefined();
  });

  test("contain a sample of every kind", () => {
    expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(Object.keys(SCHEMAS)));
  });

  test("docs/protocol.md contains working code for the verification of webhooks", async () => {
    const [, code = ""] = /```js verify\n([\s\S]*?)```/.exec(readFileSync("docs/protocol.md", "utf8")) ?? [];
    const script = `return (async () => { ${code} return { isGood, isFresh }; })();`;
    // Runs the lines of the document unchanged.
    // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval
    const verify = new Function("request", "secret", script) as (request: Request, secret: string) => Promise<unknown>;
    const secret = createWebhookSecret();
    const createRequest = async (body: string, at: number): Promise<Request> => {
      const headers = await signWebhook(secret, { id: "th-1", at, body: "{}" });
      return new Request("https://hooks.example.com", { method: "POST", headers, body });
    };
    expect(await verify(await createRequest("{}", Date.now()), secret)).toEqual({ isGood: true, isFresh: true });
    expect(await verify(await createRequest("{}", Date.now() - 600_000), secret)).toEqual({
      isGood: true,
      isFresh: false,
    });
    expect(await verify(await createRequest("{ }", Date.now()), secret)).toMatchObject({ isGood: false });
    expect(await verify(await createRequest("{}", Date.now()), createWebhookSecret())).toMatchObject({ isGood: false });
  });

  test.each(documents)("$path links only to existing files", ({ path, text }) => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = ""]) =>
      join(dirname(path), target),
    );
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  const excerpts = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/<!-- part of: (\S+) -->\n```\w+\n([\s\S]*?)\n```/g)].map(([, file = "", excerpt = ""]) => ({
      path,
      file,
      excerpt,
    })),
  );
  test.each(excerpts)("$path contains a current excerpt of $file", ({ file, excerpt }) => {
    expect(readFileSync(file, "utf8")).toContain(excerpt);
  });

  test("docs/deploy.md lists every setting with its description", () => {
    const text = readFileSync("docs/deploy.md", "utf8");
    for (const [name, schema] of Object.entries(settingsSchema.shape)) {
      expect(text).toContain(`| \`${name}\` |`);
      expect(text).toContain(schema.description);
    }
  });
});
