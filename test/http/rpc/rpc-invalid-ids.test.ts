// RPC arguments are not validated on the way: an id that cannot exist must be distinguished from a broken call.

import { exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { listOperations } from "../../../src/http/api/operations.ts";
import type { RpcResult } from "../../../src/durable/conversation-api.ts";
import { createTemplateConfig } from "../../support/workflow-configs.ts";

type RpcMethod = (...args: readonly unknown[]) => Promise<RpcResult<unknown>>;
const orrery = (exports as unknown as { Orrery: Readonly<Record<string, RpcMethod>> }).Orrery;

/** The arguments after the id, of methods that need some. */
const MORE_ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  updateConversation: [{ title: "x" }],
  send: [{ message: "hello" }],
  ask: [{ message: "hello" }],
  resume: [{ message: "hello" }],
  answer: [{ message: "hello" }],
  updateSchedule: [{ status: "paused" }],
  setAgentEnabled: [true],
  execute: [{ action: "hello" }],
  setPlanTemplateStatus: ["released"],
  updatePlanTemplate: [createTemplateConfig(), 1],
  startPlanInstance: [{}],
  resumePlanInstance: [{}],
  queryDataset: [{}],
  updateDataset: [{ name: "x" }],
  renamePage: ["x"],
  unlinkPage: ["x"],
};
/** All methods that take an id after the user. */
const METHODS = listOperations().flatMap(([name, { rpc, endpoint }]) =>
  rpc !== undefined && endpoint.path.includes("{") ? [name] : [],
);
const INVALID_IDS = [
  undefined,
  7,
  7n,
  {},
  ["x"],
  { toString: "x" },
  "",
  "\u0000",
  "x".repeat(100_000),
  "ä",
  "../x",
  "\ud800",
] as const;

test.each(METHODS)("%s finds nothing under an invalid id", async (name) => {
  const logged = vi.spyOn(console, "error");
  for (const id of INVALID_IDS) {
    const result = await orrery[name]?.("rpc-odd", id, ...(MORE_ARGUMENTS[name] ?? []));
    expect(result, name).toMatchObject({ ok: false });
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
