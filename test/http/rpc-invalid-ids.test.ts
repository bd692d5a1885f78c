// RPC arguments are not validated on the way: an id that cannot exist must be distinguished from a broken call.

import { exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import type { RpcResult } from "../../src/durable/conversation-api.ts";

type RpcMethod = (...args: readonly unknown[]) => Promise<RpcResult<unknown>>;
const orrery = (exports as unknown as { Orrery: Readonly<Record<string, RpcMethod>> }).Orrery;

/** All methods that take an id after the user, with their further arguments. */
const METHODS: Readonly<Record<string, readonly unknown[]>> = {
  readConversation: [],
  updateConversation: [{ title: "x" }],
  deleteConversation: [],
  send: [{ message: "hello" }],
  ask: [{ message: "hello" }],
  resume: [{ message: "hello" }],
  answer: [{ message: "hello" }],
  context: [],
  cancel: [],
  events: [],
  follow: [],
  items: [],
  plans: [],
  tasks: [],
  task: [],
  cancelTask: [],
  schedule: [],
  updateSchedule: [{ status: "paused" }],
  deleteSchedule: [],
  runSchedule: [],
  runResults: [],
  tool: [],
  deleteTool: [],
  agent: [],
  setAgentEnabled: [true],
  execute: [{ action: "hello" }],
  removeAgent: [],
  planTemplate: [],
  planTemplateVersions: [],
  setPlanTemplateStatus: ["released"],
  deletePlanTemplate: [],
  startPlanInstance: [{}],
  planInstance: [],
  resumePlanInstance: [{}],
  cancelPlanInstance: [],
  dataset: [],
  datasetRows: [],
  queryDataset: [{}],
  datasetCsv: [],
  updateDataset: [{ name: "x" }],
  deleteDataset: [],
  page: [],
  renamePage: ["x"],
  deletePage: [],
  runPage: [],
  linkPage: [],
  pageLinks: [],
  unlinkPage: ["x"],
};
const INVALID_IDS: readonly unknown[] = [
  undefined,
  7,
  7n,
  true,
  {},
  ["x"],
  { toString: "x" },
  "",
  "\u0000",
  "ä",
  "x".repeat(100_000),
  "../x",
  "\ud800",
];

test.each(Object.entries(METHODS))("%s finds nothing under an invalid id", async (name, rest) => {
  const logged = vi.spyOn(console, "error");
  for (const id of INVALID_IDS) {
    const result = await orrery[name]?.("rpc-odd", id, ...rest);
    expect(result, String(name)).toMatchObject({ ok: false });
    if (result?.ok === false)
      expect([typeof id, result.failure.code]).toEqual([
        typeof id,
        expect.stringMatching(/^(not_found|invalid_request)$/),
      ]);
  }
  expect(logged).not.toHaveBeenCalled();
  logged.mockRestore();
});

test("unlinkPage finds nothing under an invalid link id", async () => {
  for (const link of INVALID_IDS) {
    const result = await orrery["unlinkPage"]?.("rpc-odd", `page-${"0".repeat(32)}`, link);
    expect(result).toMatchObject({ ok: false, failure: { code: "not_found" } });
  }
});
