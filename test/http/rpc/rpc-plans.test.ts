// Workflows over RPC.

import { exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import type { OrreryApi } from "../../../src/http/api/rpc.ts";
import { createId } from "../../../src/protocol/wire/ids.ts";
import { unwrapResult } from "../../../src/protocol/wire/rpc-result.ts";
import { createTemplateConfig } from "../../support/workflow-configs.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;

test("[F120] [F121] a workflow over RPC can be stored, changed, released, run and resumed", async () => {
  const user = createId("conv");
  const bad = createTemplateConfig({ main_task_id: "009" });
  const rejected = await orrery.createPlanTemplate(user, bad);
  expect(rejected).toMatchObject({
    ok: false,
    failure: { code: "unprocessable", field: "main_task_id", problems: [{ path: "main_task_id" }] },
  });
  expect(unwrapResult(await orrery.createPlanTemplate(user, createTemplateConfig()))).toMatchObject({
    version: 1,
    status: "draft",
  });
  const stale = await orrery.updatePlanTemplate(user, "welcome", createTemplateConfig(), 3);
  expect(stale).toMatchObject({ ok: false, failure: { code: "conflict", current_version: 1 } });
  expect(unwrapResult(await orrery.updatePlanTemplate(user, "welcome", createTemplateConfig(), 1))).toMatchObject({
    version: 2,
  });
  unwrapResult(await orrery.setPlanTemplateStatus(user, "welcome", "released"));
  expect(unwrapResult(await orrery.listPlanTemplates(user, { status: "released" })).templates).toHaveLength(1);
  expect(unwrapResult(await orrery.planTemplateVersions(user, "welcome")).versions).toHaveLength(2);

  const started = unwrapResult(await orrery.startPlanInstance(user, "welcome", { verify: false }, "c1"));
  expect(unwrapResult(await orrery.startPlanInstance(user, "welcome", { verify: false }, "c1"))).toEqual(started);
  const id = started.plan_instance_id;
  const waitUntil = (matches: (instance: Awaited<ReturnType<typeof readInstance>>) => boolean) =>
    vi.waitFor(async () => expect(matches(await readInstance())).toBe(true), { timeout: 10_000, interval: 20 });
  const readInstance = async () => unwrapResult(await orrery.planInstance(user, id));
  await waitUntil(({ waiting_for_resume }) => waiting_for_resume);
  const stream = unwrapResult(await orrery.follow(user, started.conversation_id, 0, started.thread_id));
  expect(await new Response(stream).text()).toContain('"plan_instance"');
  unwrapResult(await orrery.resumePlanInstance(user, id, { context: { "001": { seats: 2 } } }));
  await waitUntil(({ status }) => status === "done");
  expect(await orrery.cancelPlanInstance(user, id)).toMatchObject({ ok: false, failure: { code: "conflict" } });
  expect(unwrapResult(await orrery.listPlanInstances(user, { plan_id: "welcome" })).instances).toHaveLength(1);
  unwrapResult(await orrery.deletePlanTemplate(user, "welcome"));
  expect(unwrapResult(await orrery.planTemplate(user, "welcome", 1))).toMatchObject({ version: 1, status: "archived" });
});

test.each([
  ["the type of a plan", () => orrery.createPlanTemplate("ada", { name: "x", tasks: 1 } as never), "tasks"],
  ["a base version", () => orrery.updatePlanTemplate("ada", "x", createTemplateConfig(), 0), "basedOn"],
  [
    "a value outside JSON",
    () => orrery.startPlanInstance("ada", "x", { context: { at: new Date() as never } }),
    "context.at",
  ],
])("an invalid argument over RPC is rejected: %s", async (_, call, field) => {
  expect(await call()).toMatchObject({
    ok: false,
    failure: { code: "invalid_request", field },
  });
});
