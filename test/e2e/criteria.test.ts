// Contracts in the whole system: a task with an effect counts as verified only if a criterion, stated before the work,
// turned from false to true. The models are scripted: honest, lying, lazy, confused ones.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  checklistEntrySchema,
  verificationSummarySchema,
  type ChecklistEntry,
} from "../../src/protocol/plans/verification.ts";
import type { WorkflowInstanceDetails } from "../../src/protocol/workflows/workflow-instance.ts";
import { createApiUser, filterEvents, type ApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import type { ModelReply } from "../support/model-reply.ts";
import { startModelServer, toLetters, type ModelServer } from "../support/model-server.ts";
import { startRecordServer, type RecordServer, type RecordValue } from "../support/record-server.ts";
import { isLongRun } from "../support/run-length.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let server: RecordServer;
let runtime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  [model, server] = await Promise.all([startModelServer(toLetters), startRecordServer()]);
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" } });
  user = createApiUser(runtime.url);
  const app = { name: "records", description: "Keeps records", mcp: { url: server.url } };
  expect((await user.request("POST", "/api/v1/agents", app)).status).toBe(201);
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([server.close(), model.close()]);
});

/** A task, and how its subject and its goal are written in calls and conditions. */
type Goal = {
  readonly query: string;
  readonly id: string;
  readonly field: string;
  readonly value: RecordValue;
  readonly wrongValue: RecordValue;
};

const call = (name: string, args: object): ModelReply => ({ calls: [{ name, arguments: args }] });
const say = (text: string): ModelReply => ({ text });
const DONE = say("Done, it is saved.");

const getCriterion = ({ id, field, value }: Goal) => ({
  tool: "get_record",
  arguments: { id },
  holds: `result.${field} == ${typeof value === "number" ? value : JSON.stringify(value)}`,
});
const state = (criterion: object) => call("state_criterion", criterion);
const set = ({ id, field }: Goal, value: RecordValue) => call("set_field", { id, field, value });

/** The models: the replies of all rounds of a task. The last reply is repeated. */
const MODELS: Readonly<Record<string, (goal: Goal) => readonly ModelReply[]>> = {
  honest: (goal) => [state(getCriterion(goal)), set(goal, goal.value), DONE],
  "honest, corrects its criterion": (goal) => [
    state({ ...getCriterion(goal), holds: "result.found == true" }),
    state(getCriterion(goal)),
    set(goal, goal.value),
    DONE,
  ],
  "honest, forgets the criterion": (goal) => [
    set(goal, goal.value),
    state(getCriterion(goal)),
    set(goal, goal.value),
    DONE,
  ],
  "claims without a call": () => [DONE],
  "states a criterion and claims": (goal) => [state(getCriterion(goal)), DONE],
  "writes another value": (goal) => [state(getCriterion(goal)), set(goal, goal.wrongValue), DONE],
  "adapts the criterion to another value": (goal) => [
    state(getCriterion({ ...goal, value: goal.wrongValue })),
    state({ none: "nothing shows it" }),
    set(goal, goal.wrongValue),
    DONE,
  ],
  "looks up another record": (goal) => [
    state({ ...getCriterion(goal), arguments: { id: `${goal.id}9` } }),
    state({ none: "nothing shows it" }),
    set({ ...goal, id: `${goal.id}9` }, goal.value),
    DONE,
  ],
  "insists on a criterion that is not accepted": (goal) => [
    ...Array.from({ length: 3 }, () => state({ ...getCriterion(goal), holds: "result.found == true" })),
    set(goal, goal.wrongValue),
    DONE,
  ],
  "states what always holds": (goal) => [
    state({ ...getCriterion(goal), holds: "result.found == true or result.found == false" }),
    state({ none: "nothing shows it" }),
    DONE,
  ],
  "checks with a tool that writes": (goal) => [
    state({
      tool: "set_field",
      arguments: { id: goal.id, field: goal.field, value: goal.value },
      holds: "result.done",
    }),
    state({ none: "nothing shows it" }),
    DONE,
  ],
};
const HONEST = Object.keys(MODELS).filter((name) => name.startsWith("honest"));

/** Runs a task with a model and returns the checklist entry, and whether the record has the wanted value. */
async function runTask(goal: Goal, modelName: string, isDoneBefore = false) {
  server.records.set(goal.id, isDoneBefore ? { [goal.field]: goal.value } : { other: "x" });
  const replies = MODELS[modelName]?.(goal) ?? [];
  // A model that did not work the first time does nothing in a repair either.
  const mark = model.addScript({
    "agent:records": ({ round, request }) =>
      JSON.stringify(request.messages).includes("failed_check") ? DONE : (replies[round] ?? DONE),
  });
  const { conversationId } = await user.sendAndWait(`${goal.query} ${mark}`, { agent: "records", verify: true });
  // The stream of a failed thread may end before its `done`.
  const frames = await vi.waitFor(async () => {
    const log = await user.history(conversationId);
    expect(findViolations(log)).toEqual([]);
    return log;
  }, 15_000);
  const [verified] = filterEvents(frames, "verification_completed");
  const entry = checklistEntrySchema.parse(verified?.payload.results[0]);
  const { overall_status } = verificationSummarySchema.parse(verified?.metadata?.["summary"]);
  return { entry, overall_status, isDone: server.records.get(goal.id)?.[goal.field] === goal.value };
}

const FIELDS = [
  { field: "price", say: (id: string, v: RecordValue) => `Set the price of record ${id} to ${v}.`, values: [12.5, 99] },
  {
    field: "owner",
    say: (id: string, v: RecordValue) => `Make “${v}” the owner of ${id}.`,
    values: ["Ada L", "Bob K"],
  },
  { field: "due", say: (id: string, v: RecordValue) => `Move ${id} to ${v}`, values: ["2026-12-01", "2027-01-15"] },
  { field: "count", say: (id: string, v: RecordValue) => `把 ${id} 的数量改为 ${v}`, values: [7, 8] },
] as const;

function createGoal(i: number): Goal {
  const { field, say: write, values } = FIELDS[i % FIELDS.length] ?? FIELDS[0];
  const [value, wrongValue] = values;
  const id = `R${1_000 + i * 7}`;
  return { query: write(id, value), id, field, value, wrongValue };
}

describe("[F136] the criterion of a task", () => {
  const modelNames = Object.keys(MODELS);
  const count = isLongRun ? 200 : modelNames.length * 2;

  test(`decides about ${count} generated tasks: nothing false is verified, honest work is`, async () => {
    const failures: string[] = [];
    let [honest, verifiedHonest] = [0, 0];
    const runNext = async (i: number) => {
      const name = modelNames[i % modelNames.length] ?? "honest";
      const { entry, isDone } = await runTask(createGoal(i), name);
      if (HONEST.includes(name)) honest += 1;
      if (HONEST.includes(name) && entry.verified === true) verifiedHonest += 1;
      if (entry.verified === true && !isDone) failures.push(`${i} ${name}: ${JSON.stringify(entry)}`);
    };
    const lanes = [0, 1, 2, 3].map(async (lane) => {
      for (let i = lane; i < count; i += 4) await runNext(i);
    });
    await Promise.all(lanes);
    expect(failures).toEqual([]);
    expect(verifiedHonest / honest).toBeGreaterThanOrEqual(0.95);
  });

  test("shows its evidence by event numbers, and repairs work whose check failed", async () => {
    const goal = createGoal(1_000);
    const lazyOnce = [state(getCriterion(goal)), set(goal, goal.wrongValue), DONE];
    const mark = model.addScript({
      "agent:records": ({ round, request }) =>
        (JSON.stringify(request.messages).includes("failed_check") ? [set(goal, goal.value), DONE] : lazyOnce)[round] ??
        DONE,
    });
    server.records.set(goal.id, {});
    const { frames } = await user.sendAndWait(`${goal.query} ${mark}`, { agent: "records", verify: true });
    expect(findViolations(frames)).toEqual([]);
    const entry: ChecklistEntry = checklistEntrySchema.parse(
      filterEvents(frames, "verification_completed")[0]?.payload.results[0],
    );
    expect(entry).toMatchObject({
      status: "executed_and_verified",
      evidence: { tool: "get_record", arguments: { id: goal.id }, before: false, after: true, attempts: 2 },
    });
    const shown = frames.filter(({ seq }) => entry.evidence?.seqs.includes(seq));
    expect(shown.map(({ event }) => event)).toEqual(["tool_call_completed", "tool_call_completed"]);
    expect(filterEvents(frames, "task_retrying")).toHaveLength(1);
    expect(filterEvents(frames, "task_completed")).toHaveLength(1);
    expect(server.writes.get(goal.id)).toBe(2);
  });

  test.each([
    ["claims without a call", "executed_but_unverified", "unverified"],
    ["writes another value", "verification_failed", "failed"],
    ["looks up another record", "executed_but_unverified", "unverified"],
    ["checks with a tool that writes", "executed_but_unverified", "unverified"],
    ["insists on a criterion that is not accepted", "executed_but_unverified", "unverified"],
  ])("does not verify a model that %s", async (name, status, overall) => {
    const { entry, overall_status } = await runTask(createGoal(2_000), name);
    expect([entry.status, overall_status]).toEqual([status, overall]);
  });

  test("is also checked without a wish for verification, and is then not required", async () => {
    const [stating, silent] = [createGoal(5_000), createGoal(6_000)];
    const run = async (goal: Goal, replies: readonly ModelReply[]) => {
      server.records.set(goal.id, {});
      const mark = model.addScript({ "agent:records": ({ round }) => replies[round] ?? DONE });
      const { frames } = await user.sendAndWait(`${goal.query} ${mark}`, { agent: "records" });
      expect(server.records.get(goal.id)).toEqual({ [goal.field]: goal.value });
      return filterEvents(frames, "verification_completed").flatMap(({ payload }) => payload.results);
    };
    expect(await run(stating, [state(getCriterion(stating)), set(stating, stating.value)])).toMatchObject([
      { verified: true, evidence: { before: false, after: true } },
    ]);
    expect(await run(silent, [set(silent, silent.value)])).toEqual([]);
  });

  test("says that the state was already so", async () => {
    const { entry } = await runTask(createGoal(3_000), "honest", true);
    expect(entry).toMatchObject({
      status: "executed_but_unverified",
      reason: "The check succeeded before the work as well, so it does not show that the work was done.",
      evidence: { before: true, after: true },
    });
  });

  test("comes from the planner if it writes one, and is checked by the runtime alone", async () => {
    const goal = createGoal(4_000);
    server.records.set(goal.id, {});
    const createTask = (mark: string) => ({
      id: "1",
      query: `${goal.query} ${mark}`,
      agent_name: "records",
      criterion: getCriterion(goal),
    });
    const mark = model.addScript({
      triage: call("handoff_to_planner", { strategy: "needs_planning", reason: "several parts" }),
      planner: (planning) => call("create_plan", { tasks: [createTask(planning.mark)], reason: "as asked" }),
      "agent:records": [set(goal, goal.value), DONE],
    });
    const { frames } = await user.sendAndWait(`${goal.query} ${mark}`);
    const [entry] = filterEvents(frames, "verification_completed")[0]?.payload.results ?? [];
    expect(entry).toMatchObject({ verified: true, evidence: { before: false, after: true, attempts: 1 } });
    const [planner] = model.getCalls(mark, "planner");
    expect(planner?.request.messages[0]?.content).toContain('"check_tools":[{"name":"get_record"');
    expect(model.getCalls(mark, "agent:records")).toHaveLength(2);
  });
});

describe("[X23] the criterion of a workflow's listener", () => {
  /** Runs a workflow whose only agent sets the price of a record. Returns the ended instance. */
  async function runWorkflow(id: string, firstPrice: number) {
    server.records.set(id, {});
    const mark = model.addScript({
      "agent:records": ({ round, request }) => {
        const price = JSON.stringify(request.messages).includes("failed_check") ? 12.5 : firstPrice;
        return round === 0 ? call("set_field", { id, field: "price", value: price }) : DONE;
      },
    });
    const planId = `pricing-${id}`;
    const config = createTemplateConfig({
      plan_id: planId,
      listeners: [
        {
          listener_id: "L001",
          trigger_task_id: "001",
          trigger_condition: "001.status == Running",
          agent_id: "records",
          action_prompt: `Set the price of {001.context.record} to {001.context.price} ${mark}`,
          criterion: {
            tool: "get_record",
            arguments: { id: "{001.context.record}" },
            holds: "result.price == {001.context.price}",
          },
          success_output: { task_id: "001", status: "Done" },
        },
      ],
      max_retries: 1,
    });
    expect((await user.request("POST", "/api/v1/plan-templates", config)).status).toBe(201);
    const started = await user.request("POST", `/api/v1/plan-templates/${planId}/instances`, {
      context: { record: id, price: 12.5 },
    });
    const { plan_instance_id } = (await started.json()) as { plan_instance_id: string };
    return vi.waitFor(async () => {
      const instance = await user.get<WorkflowInstanceDetails>(`/api/v1/plan-instances/${plan_instance_id}`);
      expect(instance.status).toMatch(/done|error|waiting/);
      return instance;
    }, 15_000);
  }

  test("verifies the work by the values of the instance", async () => {
    const { verification } = await runWorkflow("W1", 12.5);
    expect(verification?.summary.overall_status).toBe("passed");
    expect(verification?.checklist).toMatchObject([
      {
        verified: true,
        evidence: { arguments: { id: "W1" }, holds: "result.price == 12.5", before: false, after: true },
      },
    ]);
  });

  test("fails the listener when it does not hold, and the retry repairs it with the evidence", async () => {
    const { verification, listeners } = await runWorkflow("W2", 99);
    expect(verification?.checklist).toMatchObject([{ verified: true, evidence: { attempts: 2, after: true } }]);
    expect(listeners).toMatchObject([{ attempts: 2, status: "done" }]);
    expect(server.writes.get("W2")).toBe(2);
  });
});
