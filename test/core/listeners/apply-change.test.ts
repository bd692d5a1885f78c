import { describe, expect, test } from "vitest";
import { applyChange, type InstanceChange } from "../../../src/core/listeners/apply-change.ts";
import { compileTemplate } from "../../../src/core/listeners/compile-template.ts";
import { createInitialState, type InstanceState } from "../../../src/core/listeners/instance-state.ts";
import { configOf, listener, tasks } from "./playing.ts";

type Happening = InstanceChange extends infer One ? (One extends InstanceChange ? Omit<One, "at"> : never) : never;

const done = { status: "completed", result: "done" } as const;
const failed = { status: "failed", error: "The system is down." } as const;
const asks = { status: "waiting", request_id: "q", prompt: "Which one?", legs: 1 } as const;
const came = (listener_id: string, outcome: typeof done | typeof failed | typeof asks): Happening => ({
  kind: "came",
  listener_id,
  outcome,
});

/** Both are fired by the start: A makes 002 Done, B makes the main task Done. */
function after(maxRetries: number, ...happenings: readonly Happening[]): InstanceState {
  const plan = compileTemplate(
    configOf({
      name: "Side by side",
      tasks: tasks("001", "002"),
      max_retries: maxRetries,
      listeners: [listener("A", "001", "Running", "a", "002"), listener("B", "001", "Running", "b", "001")],
    }),
  );
  const bounds = { maxConcurrentTasks: 5, maxFirings: 200 };
  const started: Happening = { kind: "started", context: {} };
  return [started, ...happenings].reduce(
    (state, happening, i) => applyChange(plan, bounds, state, { ...happening, at: i } as InstanceChange),
    createInitialState(plan),
  );
}

const main = ({ tasks: all }: InstanceState) => all.get("001")?.status;

describe("trouble that shows on the main task", () => {
  test("is over as soon as what failed is tried again by whoever resumes it", () => {
    const resumed: readonly Happening[] = [
      came("A", failed),
      came("B", asks),
      { kind: "held", request_id: "r" },
      { kind: "resumed", values: {} },
    ];
    expect(main(after(0, ...resumed.slice(0, 3)))).toBe("Error");
    expect(main(after(0, ...resumed))).toBe("Retrying");
    expect(main(after(0, ...resumed, came("A", done)))).toBe("Running");
  });

  test("does not take back what another listener has made of the main task since", () => {
    expect(main(after(1, came("A", failed)))).toBe("Retrying");
    expect(main(after(1, came("A", failed), came("B", done)))).toBe("Done");
    expect(main(after(1, came("A", failed), came("B", done), came("A", done)))).toBe("Done");
  });
});

test("what fails while the instance is held is told by the same question", () => {
  const { hold } = after(
    0,
    came("A", failed),
    came("B", asks),
    { kind: "held", request_id: "r" },
    { kind: "settled", listener_id: "B" },
    came("B", failed),
  );
  expect(hold).toMatchObject({
    request_id: "r",
    failed_listener_ids: ["A", "B"],
    message: "A failed: The system is down. B failed: The system is down.",
  });
});
