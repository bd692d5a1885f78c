// Random plans and their required results, which do not depend on the order of execution.

import onboarding from "../../examples/onboarding/config.json" with { type: "json" };
import type { WorkflowConfigInput, WorkflowTaskStatus } from "../../src/protocol/workflows/workflow-template.ts";
import { randomBetween } from "../../test/support/random.ts";
import { GRAVE } from "./systems.ts";

/** An action that must be executed once, and the task that it completes. */
export type Action = {
  readonly listenerId: string;
  readonly taskId: string;
  /** The name of the tool, or the job that is passed to it. */
  readonly name: string;
  /** The names of the actions that must be executed before it. */
  readonly after: readonly string[];
  /** The number of failures before it succeeds. */
  readonly fails: number;
  /** The value that it stores in the context of its task; null if the value is not predictable. */
  readonly made: string | null;
  /** True if it requires an approval. */
  readonly isGuarded: boolean;
};

/** A plan with its required results. */
export type Ordeal = {
  readonly kind: "onboarding" | "random";
  readonly plan: WorkflowConfigInput & { readonly plan_id: string };
  /** Identifies the calls of this instance. */
  readonly subject: string;
  readonly context: Readonly<Record<string, string>>;
  readonly actions: readonly Action[];
  /** The listeners that must fire; no other listener may. */
  readonly fired: ReadonlySet<string>;
  /** The required final status of each task. */
  readonly statuses: Readonly<Record<string, WorkflowTaskStatus>>;
  readonly end: "done" | "error";
  /** The tasks that must be verified; false if their agent has no tool to verify them. */
  readonly verified: ReadonlyMap<string, boolean>;
  /** The context values that hold the instance until they are supplied. */
  readonly lacking: Readonly<Record<string, string>>;
};

export const AGENTS = ["alpha", "beta", "gamma"];
const MAIN = "001";

type Kind = "agent" | "guarded" | "flaky" | "broken" | "lacking" | "code";
type Node = {
  readonly id: string;
  readonly task: string;
  readonly kind: Kind;
  readonly agent: string;
  readonly fails: number;
  readonly triggers: readonly string[];
  readonly condition: string;
  readonly fires: boolean;
  /** The tasks that are Done when it fires. */
  readonly known: readonly string[];
};

/** A condition, its final value, and the tasks without which it cannot hold. */
type Term = { readonly text: string; readonly holds: boolean; readonly needs: readonly string[] };

const KINDS: readonly Kind[] = ["agent", "agent", "agent", "agent", "guarded", "flaky", "broken", "lacking", "code"];

/** The maximum number of listeners of a plan, and of failures of an action before it succeeds. */
export type Size = { readonly listeners: number; readonly fails: number };

/**
 * Creates a plan of 3 or more listeners. Conditions change only to true, so the result does not depend on the order.
 */
export function randomOrdeal(subject: string, random: () => number, size: Size): Ordeal {
  const nodes: Node[] = [];
  const count = randomBetween(random, 2, size.listeners - 1);
  for (let i = 0; i < count; i++) nodes.push(nodeAfter(nodes, random, size));
  const fired = nodes.filter(({ fires }) => fires);
  const broken = fired.find(({ kind }) => kind === "broken");
  const isDoomed = broken !== undefined && random() < 0.2;
  const settled = fired.map(({ task, kind }) => `${task}.status == ${finalOf(kind)}`);
  const close = {
    listener_id: "L999",
    trigger_task_id: fired.map(({ task }) => task).join(","),
    trigger_condition: [...settled, ...(isDoomed ? [`${broken.task}.status == Done`] : [])].join(" && "),
    listener_type: "code" as const,
    success_output: { task_id: MAIN, status: "Done" },
  };
  const plan = {
    plan_id: `plan-${subject}`,
    name: `Plan ${subject}`,
    main_task_id: MAIN,
    max_retries: randomBetween(random, 0, 1),
    tasks: [MAIN, ...nodes.map(({ task }) => task)].map((task_id) => ({ task_id, name: `Task ${task_id}` })),
    listeners: [...nodes.map((node) => listenerOf(node, nodes)), close].toSorted(() => random() - 0.5),
  };
  const lacking = fired.filter(({ kind }) => kind === "lacking").map(({ task }) => [`colour_${task}`, `blue${task}`]);
  return {
    kind: "random",
    plan,
    subject,
    context: { run: subject, ...(random() < 0.2 ? { notes: "large ".repeat(1_000) } : {}) },
    actions: fired.flatMap((node) => actionsOf(node, nodes, subject)),
    fired: new Set([...fired.map(({ id }) => id), ...(isDoomed ? [] : [close.listener_id])]),
    statuses: {
      ...Object.fromEntries(nodes.map(({ task, kind, fires }) => [task, fires ? finalOf(kind) : "NotStarted"])),
      [MAIN]: isDoomed ? "Running" : "Done",
    },
    end: isDoomed ? "error" : "done",
    verified: new Map(
      isDoomed ? [] : fired.filter(({ kind }) => kind !== "code" && kind !== "broken").map(({ task }) => [task, true]),
    ),
    lacking: Object.fromEntries(lacking) as Record<string, string>,
  };
}

function nodeAfter(nodes: readonly Node[], random: () => number, size: Size): Node {
  const number = String(nodes.length + 2).padStart(3, "0");
  // The first listener always succeeds: without a finished task the plan would have no end.
  const kind = nodes.length === 0 ? "agent" : (KINDS[randomBetween(random, 0, KINDS.length - 1)] ?? "agent");
  const fails = kind === "flaky" ? randomBetween(random, 1, size.fails) : kind === "broken" ? Infinity : 0;
  const root: Term = { text: `${MAIN}.status == Running`, holds: true, needs: [] };
  const picked = nodes.length === 0 ? [] : pickedFrom(nodes, randomBetween(random, 0, 4), random);
  const terms = picked.map((node) => termOf(node, random));
  const isRooted = terms.length === 0 || random() < 0.25;
  const { text, holds, needs } = joined(isRooted ? [root, ...terms] : terms, random);
  const triggers = [...(isRooted ? [MAIN] : []), ...picked.map(({ task }) => task)];
  // A listener whose trigger tasks never change never fires.
  const hears = isRooted || picked.some(({ fires }) => fires);
  return {
    id: `L${number}`,
    task: number,
    kind,
    agent: AGENTS[randomBetween(random, 0, AGENTS.length - 1)] ?? "",
    fails,
    triggers,
    condition: text,
    fires: holds && hears,
    known: needs,
  };
}

function pickedFrom(nodes: readonly Node[], count: number, random: () => number): readonly Node[] {
  return nodes.toSorted(() => random() - 0.5).slice(0, count);
}

function finalOf(kind: Kind): WorkflowTaskStatus {
  return kind === "broken" ? "Error" : "Done";
}

/** Creates a condition on a task that becomes true and stays true, or that is constant. */
function termOf({ task, kind, fires }: Node, random: () => number): Term {
  if (kind === "broken" && random() < 0.3) return { text: `!(${task}.status == 'Done')`, holds: true, needs: [] };
  if (kind === "broken" && random() < 0.3) return { text: `${task}.status == Done`, holds: false, needs: [] };
  const isDone = kind !== "broken";
  return { text: `${task}.status == ${finalOf(kind)}`, holds: fires, needs: isDone ? [task] : [] };
}

function joined(terms: readonly Term[], random: () => number): Term {
  const [first, ...others] = terms;
  if (first === undefined) throw new Error("A condition needs a term");
  return others.reduce((left, right) => {
    const isAnd = random() < 0.6;
    const [a, b] = random() < 0.5 ? [left, right] : [right, left];
    const text = `(${a.text} ${isAnd ? "&&" : "||"} ${b.text})`;
    return isAnd
      ? { text, holds: a.holds && b.holds, needs: [...new Set([...a.needs, ...b.needs])] }
      : { text, holds: a.holds || b.holds, needs: a.needs.filter((task) => b.needs.includes(task)) };
  }, first);
}

/** Returns the nodes whose results the prompt uses: only those of agents, because code sets only a status. */
function handedOn({ known }: Node, nodes: readonly Node[]): readonly Node[] {
  return nodes.filter(({ task, kind }) => known.includes(task) && kind !== "code");
}

function listenerOf(node: Node, nodes: readonly Node[]): WorkflowConfigInput["listeners"][number] {
  const { id, task, kind, agent, triggers, condition } = node;
  const base = { listener_id: id, trigger_task_id: triggers.join(","), trigger_condition: condition };
  if (kind === "code") return { ...base, listener_type: "code", success_output: { task_id: task, status: "Done" } };
  const given = handedOn(node, nodes).map((other) => ` after {${other.task}.context.made}`);
  const lack = kind === "lacking" ? ` in {${MAIN}.context.colour_${task}}` : "";
  return {
    ...base,
    agent_id: agent,
    action_prompt: `${kind === "guarded" ? GRAVE : "carry_out"} job: "${id}"${given.join("")}${lack}`,
    success_output: { task_id: task, status: "Done", context: { made: "{{result.made}}" } },
    ...(kind === "broken" ? { failure_output: { task_id: task, status: "Error" } } : {}),
  };
}

function actionsOf(node: Node, nodes: readonly Node[], subject: string): readonly Action[] {
  const { id, task, kind, fails } = node;
  if (kind === "code") return [];
  const after = handedOn(node, nodes).map((other) => other.id);
  const made = kind === "broken" ? null : `${subject}/${id}`;
  return [{ listenerId: id, taskId: task, name: id, after, fails, made, isGuarded: kind === "guarded" }];
}

/** Creates the onboarding example, with five systems, for another employee. */
export function onboardingOrdeal(subject: string, random: () => number, size: Size): Ordeal {
  const isLacking = random() < 0.3;
  const action = (listenerId: string, taskId: string, tool: string, ...after: string[]): Action => {
    const fails = random() < 0.2 ? randomBetween(random, 1, size.fails) : 0;
    return { listenerId, taskId, name: tool, after, fails, made: null, isGuarded: false };
  };
  const context = { id: subject, name: "will zhang", email: `${subject}@company.com`, department: "工程部" };
  const { department, ...rest } = context;
  return {
    kind: "onboarding",
    plan: {
      ...(onboarding.plan as WorkflowConfigInput),
      plan_id: `plan-${subject}`,
      max_retries: randomBetween(random, 0, 1),
    },
    subject,
    context: isLacking ? rest : context,
    actions: onboarding.plan.listeners.flatMap(({ listener_id: id, success_output: { task_id: task } }) => {
      const [tool, ...after] = CALLS[task] ?? [];
      return tool === undefined ? [] : [action(id, task, tool, ...after)];
    }),
    fired: new Set(onboarding.plan.listeners.map(({ listener_id: id }) => id)),
    statuses: {
      ...Object.fromEntries([MAIN, ...Object.keys(CALLS)].map((task) => [task, "Done"])),
      "007": "NotStarted",
    },
    end: "done",
    verified: new Map([
      ["002", true],
      ["003", false],
      ["004", true],
      ["005", true],
      ["006", false],
    ]),
    lacking: isLacking ? { department } : {},
  };
}

/** The tool that completes each task, followed by the tools that must be called before. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  "002": ["create_employee_profile"],
  "003": ["apply_computer", "create_employee_profile"],
  "004": ["outbound", "apply_computer"],
  "005": ["grant_access", "create_employee_profile"],
  "006": ["send_email", "outbound", "grant_access"],
};
