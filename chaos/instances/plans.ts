// Plans that chance makes, and what each of them has to come to, in whatever order things happen.

import onboarding from "../../examples/onboarding/config.json" with { type: "json" };
import type { WorkflowConfigInput, WorkflowTaskStatus } from "../../src/protocol/workflows/workflow-template.ts";
import { between } from "../../test/support/random.ts";
import { GRAVE } from "./systems.ts";

/** Something that has to be carried out once, and the task that it makes. */
export type Action = {
  readonly listenerId: string;
  readonly taskId: string;
  /** What the system calls it: a tool, or the job of one. */
  readonly name: string;
  /** Names of actions that must have been carried out before it. */
  readonly after: readonly string[];
  /** How often it fails before it succeeds. */
  readonly fails: number;
  /** What its task then knows of it, if that is foreseeable. */
  readonly made: string | null;
  /** It waits for the person's leave. */
  readonly isGuarded: boolean;
};

/** A plan with what it demands. */
export type Ordeal = {
  readonly kind: "onboarding" | "random";
  readonly plan: WorkflowConfigInput & { readonly plan_id: string };
  /** By this its calls are told from others'. */
  readonly subject: string;
  readonly context: Readonly<Record<string, string>>;
  readonly actions: readonly Action[];
  /** Listeners that fire; all others never do. */
  readonly fired: ReadonlySet<string>;
  /** What each task has to be in the end. */
  readonly statuses: Readonly<Record<string, WorkflowTaskStatus>>;
  readonly end: "done" | "error";
  /** Tasks, and the agents that are to verify them: with `false`, those that have nothing to look with. */
  readonly verified: ReadonlyMap<string, boolean>;
  /** What the plan is held for until it is given. */
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
  /** Tasks that are Done by the time it fires. */
  readonly known: readonly string[];
};

/** A condition with its value once nothing changes any more, and the tasks that it cannot hold without. */
type Term = { readonly text: string; readonly holds: boolean; readonly needs: readonly string[] };

const KINDS: readonly Kind[] = ["agent", "agent", "agent", "agent", "guarded", "flaky", "broken", "lacking", "code"];

/** How large a plan may become, and how often an action may fail before it succeeds. */
export type Size = { readonly listeners: number; readonly fails: number };

/** A graph of 3 or more listeners. Conditions only become true: what comes of them does not depend on the order. */
export function randomOrdeal(subject: string, random: () => number, size: Size): Ordeal {
  const nodes: Node[] = [];
  const count = between(random, 2, size.listeners - 1);
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
    max_retries: between(random, 0, 1),
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
  // The first acts, and something comes of it: without that the plan has no end.
  const kind = nodes.length === 0 ? "agent" : (KINDS[between(random, 0, KINDS.length - 1)] ?? "agent");
  const fails = kind === "flaky" ? between(random, 1, size.fails) : kind === "broken" ? Infinity : 0;
  const root: Term = { text: `${MAIN}.status == Running`, holds: true, needs: [] };
  const picked = nodes.length === 0 ? [] : pickedFrom(nodes, between(random, 0, 4), random);
  const terms = picked.map((node) => termOf(node, random));
  const isRooted = terms.length === 0 || random() < 0.25;
  const { text, holds, needs } = joined(isRooted ? [root, ...terms] : terms, random);
  const triggers = [...(isRooted ? [MAIN] : []), ...picked.map(({ task }) => task)];
  // What listens only to tasks that never change never hears.
  const hears = isRooted || picked.some(({ fires }) => fires);
  return {
    id: `L${number}`,
    task: number,
    kind,
    agent: AGENTS[between(random, 0, AGENTS.length - 1)] ?? "",
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

/** Something about a task that becomes true and stays so, or is true or false from the beginning. */
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

/** The names by which results are handed on: those of agents alone, code only sets a status. */
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

/** The example of five systems, with another person each time. */
export function onboardingOrdeal(subject: string, random: () => number, size: Size): Ordeal {
  const isLacking = random() < 0.3;
  const action = (listenerId: string, taskId: string, tool: string, ...after: string[]): Action => {
    const fails = random() < 0.2 ? between(random, 1, size.fails) : 0;
    return { listenerId, taskId, name: tool, after, fails, made: null, isGuarded: false };
  };
  const context = { id: subject, name: "will zhang", email: `${subject}@company.com`, department: "工程部" };
  const { department, ...rest } = context;
  return {
    kind: "onboarding",
    plan: {
      ...(onboarding.plan as WorkflowConfigInput),
      plan_id: `plan-${subject}`,
      max_retries: between(random, 0, 1),
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

/** Which tool makes a task, and which ones have to be called before it. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  "002": ["create_employee_profile"],
  "003": ["apply_computer", "create_employee_profile"],
  "004": ["outbound", "apply_computer"],
  "005": ["grant_access", "create_employee_profile"],
  "006": ["send_email", "outbound", "grant_access"],
};
