import { describe, expect, test } from "vitest";
import { applyChange, type InstanceChange } from "../../../src/core/listeners/apply-change.ts";
import { compileTemplate } from "../../../src/core/listeners/compile-template.ts";
import { createInitialState, type InstanceState } from "../../../src/core/listeners/instance-state.ts";
import { parseConfig, listener, tasks } from "./instance-fixture.ts";
import { createFormatter } from "../../support/scripted-ports.ts";

type ChangeDraft = InstanceChange extends infer One ? (One extends InstanceChange ? Omit<One, "at"> : never) : never;

const done = { status: "completed", result: "done" } as const;
const failed = { status: "failed", error: "The system is down." } as const;
const waiting = { status: "waiting", request_id: "q", prompt: "Which one?", legs: 1 } as const;
const createOutcome = (listener_id: string, outcome: typeof done | typeof failed | typeof waiting): ChangeDraft => ({
  kind: "came",
  listener_id,
  outcome,
});

/**
 * Applies changes to a template in which the start triggers both listeners: A completes 002, B completes the main task.
 */
function applyAll(maxRetries: number, ...changes: readonly ChangeDraft[]): InstanceState {
  const compiled = compileTemplate(
    parseConfig({
      name: "Side by side",
      tasks: tasks("001", "002"),
      max_retries: maxRetries,
      listeners: [listener("A", "001", "Running", "a", "002"), listener("B", "001", "Running", "b", "001")],
    }),
  );
  const bounds = { maxConcurrentTasks: 5, maxFirings: 200 };
  const rules = { compiled, bounds, formatMessage: createFormatter("en") };
  const started: ChangeDraft = { kind: "started", context: {} };
  return [started, ...changes].reduce(
    (state, change, i) => applyChange(rules, state, { ...change, at: i } as InstanceChange),
    createInitialState(compiled),
  );
}

const getMainStatus = ({ tasks: all }: InstanceState) => all.get("001")?.status;

describe("error status of the main task", () => {
  test("changes to Retrying when the instance is resumed", () => {
    const resumed: readonly ChangeDraft[] = [
      createOutcome("A", failed),
      createOutcome("B", waiting),
      { kind: "held", request_id: "r" },
      { kind: "resumed", values: {} },
    ];
    expect(getMainStatus(applyAll(0, ...resumed.slice(0, 3)))).toBe("Error");
    expect(getMainStatus(applyAll(0, ...resumed))).toBe("Retrying");
    expect(getMainStatus(applyAll(0, ...resumed, createOutcome("A", done)))).toBe("Running");
  });

  test("does not overwrite a later status that another listener set", () => {
    expect(getMainStatus(applyAll(1, createOutcome("A", failed)))).toBe("Retrying");
    expect(getMainStatus(applyAll(1, createOutcome("A", failed), createOutcome("B", done)))).toBe("Done");
    expect(
      getMainStatus(applyAll(1, createOutcome("A", failed), createOutcome("B", done), createOutcome("A", done))),
    ).toBe("Done");
  });
});

test("a second failure during a hold extends the existing question", () => {
  const { hold } = applyAll(
    0,
    createOutcome("A", failed),
    createOutcome("B", waiting),
    { kind: "held", request_id: "r" },
    { kind: "settled", listener_id: "B" },
    createOutcome("B", failed),
  );
  expect(hold).toMatchObject({
    request_id: "r",
    failed_listener_ids: ["A", "B"],
    message: "A failed: The system is down. B failed: The system is down.",
  });
});
