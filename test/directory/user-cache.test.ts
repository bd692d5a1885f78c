import { expect, test } from "vitest";
import { env } from "cloudflare:workers";
import { readRegistry, setAgentEnabled } from "../../src/directory/agent-directory.ts";
import { addTemplate, listReleasedTemplates, setTemplateStatus } from "../../src/directory/template-directory.ts";
import type { Env } from "../../src/env.ts";
import { workflowConfigSchema } from "../../src/protocol/workflows/workflow-template.ts";
import { smallPlan } from "../support/plans.ts";

const { DB } = env as unknown as Env;

/** A directory whose answer to a query is on its way until it is let through. */
function slow(): { db: D1Database; arrive: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const prepare = (query: string) => ({
    bind: (...values: unknown[]) => ({
      async all() {
        const found = await DB.prepare(query)
          .bind(...values)
          .all();
        await promise;
        return found;
      },
    }),
  });
  return { db: { prepare } as unknown as D1Database, arrive: resolve };
}

/** Lets the database carry out what it was asked before. */
const carriedOut = () => DB.prepare("SELECT 1").all();

test("an agent that was switched off is off at once, whatever was being read meanwhile", async () => {
  const { db, arrive } = slow();
  const reading = readRegistry(db, "recent");
  await carriedOut();
  await setAgentEnabled(DB, "recent", "Clock", false);
  arrive();
  expect((await reading).disabled).toEqual(new Set());
  expect((await readRegistry(DB, "recent")).disabled).toEqual(new Set(["Clock"]));
});

test("a template that was released is an agent at once, whatever was being read meanwhile", async () => {
  const { db, arrive } = slow();
  const config = { ...workflowConfigSchema.parse(smallPlan()), plan_id: "recent", main_task_id: "001" };
  await addTemplate(DB, "recent", config, "draft", 1);
  const reading = listReleasedTemplates(db, "recent");
  await carriedOut();
  await setTemplateStatus(DB, "recent", "recent", "released", 2);
  arrive();
  expect(await reading).toEqual([]);
  expect((await listReleasedTemplates(DB, "recent")).map(({ name }) => name)).toEqual(["recent"]);
});
