// Validates a plan template beyond its schema: ids, references, conditions, placeholders, executors and cycles.

import type { Listener, PlanConfig, PlanContext, PlanOutput } from "../../protocol/plan-template.ts";
import { nearest } from "../../protocol/words/nearest.ts";
import { circlesIn } from "./circles.ts";
import { compile, conditionOf, mainTaskOf, triggersOf } from "./compile.ts";
import { parseCondition } from "../../protocol/conditions/condition.ts";
import type { Problem } from "./problem.ts";
import { placeholdersIn } from "./render.ts";

/** Returns the problem of a code snippet as a sentence; null if it is acceptable. */
export type CheckCode = (code: string) => string | null;

/**
 * Returns all problems of a template; empty if it is acceptable. Agent names are not checked if `agentNames` is null,
 * snippets are not checked without `checkCode`. Cycles are only checked if there is no other problem.
 */
export function problemsOf(
  config: PlanConfig,
  agentNames: ReadonlySet<string> | null,
  checkCode: CheckCode = () => null,
): readonly Problem[] {
  const known = new Set(config.tasks.map(({ task_id }) => task_id));
  const problems = [
    ...doubles(
      "tasks",
      "task_id",
      config.tasks.map(({ task_id }) => task_id),
    ),
    ...doubles(
      "listeners",
      "listener_id",
      config.listeners.map(({ listener_id }) => listener_id),
    ),
    ...tasksOf(config, known),
    ...config.listeners.flatMap((listener, i) => [
      ...referencesOf(listener, `listeners.${i}`, known),
      ...doerOf(listener, `listeners.${i}`, agentNames, checkCode),
    ]),
  ];
  // Reachability requires valid references and conditions.
  return problems.length > 0 ? problems : circlesIn(compile(config), config);
}

/** Returns the names of the values that an instance needs at its start: used by prompts and not set by any output. */
export function inputsOf(config: PlanConfig): readonly string[] {
  const main = mainTaskOf(config);
  const made = new Set(config.listeners.flatMap(outputsOf).flatMap(namesIn));
  const used = config.listeners
    .filter(({ listener_type }) => listener_type === "agent")
    .flatMap(({ action_prompt }) => placeholdersIn(action_prompt));
  const isGiven = ({ task_id, name }: { readonly task_id: string; readonly name: string }): boolean =>
    !made.has(`${task_id}.${headOf(name)}`) && !made.has(`${main}.${headOf(name)}`);
  return [...new Set(used.filter(isGiven).map(({ name }) => headOf(name)))];
}

/** Returns the part of a name before the first dot. */
function headOf(name: string): string {
  return name.split(".", 1)[0] ?? name;
}

/** Returns the values that an output sets, as `task.name`. */
function namesIn({ task_id, context }: PlanOutput): string[] {
  return Object.keys(context).map((name) => `${task_id}.${headOf(name)}`);
}

/** Returns the one or two outputs of a listener. */
function outputsOf({ success_output: success, failure_output: failure }: Listener): PlanOutput[] {
  return failure === undefined || failure === null ? [success] : [success, failure];
}

/** Returns a problem for each id that occurs before in the list. */
function doubles(list: string, field: string, ids: readonly string[]): Problem[] {
  return ids.flatMap((id, i) =>
    ids.indexOf(id) === i ? [] : [{ path: `${list}.${i}.${field}`, message: `${id} is there twice.` }],
  );
}

/** Checks the main task and the parent references of the tasks. */
function tasksOf(config: PlanConfig, known: ReadonlySet<string>): Problem[] {
  const { main_task_id: main, tasks } = config;
  const marked = tasks.filter(({ is_main_task: isMain }) => isMain === true);
  const problems = main === undefined ? [] : unknownTask("main_task_id", main, known);
  if (main === undefined && marked.length > 1) {
    const ids = marked.map(({ task_id }) => task_id).join(" and ");
    problems.push({ path: "tasks", message: `There can be one main task only: ${ids} are marked as it.` });
  }
  for (const [i, { parent_task_id: parent }] of tasks.entries()) {
    if (parent !== undefined && parent !== null)
      problems.push(...unknownTask(`tasks.${i}.parent_task_id`, parent, known));
  }
  return problems;
}

/** Returns a problem if a task does not exist, with a suggestion if a similar id exists. */
function unknownTask(path: string, id: string, known: ReadonlySet<string>): Problem[] {
  if (known.has(id)) return [];
  return [{ path, message: `There is no task ${id}. ${nearestWords(id, known)}`.trim() }];
}

/** Formats the most similar known name as a suggestion; "" if none is similar. */
function nearestWords(name: string, known: ReadonlySet<string>): string {
  const [first] = nearest(name, [...known], 1);
  return first === undefined ? "" : `Is ${first} meant?`;
}

/** Checks the task references of a listener: triggers, conditions, prompt and outputs. */
function referencesOf(listener: Listener, path: string, known: ReadonlySet<string>): Problem[] {
  const triggers = triggersOf(listener);
  const problems = triggers.flatMap((id) => unknownTask(`${path}.trigger_task_id`, id, known));
  if (triggers.length === 0) problems.push({ path: `${path}.trigger_task_id`, message: "names no task." });
  for (const field of ["trigger_condition", "action_condition"] as const) {
    problems.push(...conditionProblems(listener[field], `${path}.${field}`, known));
  }
  problems.push(...placeholderProblems(listener.action_prompt, `${path}.action_prompt`, known));
  for (const field of ["success_output", "failure_output"] as const) {
    const output = listener[field];
    if (output === undefined || output === null) continue;
    problems.push(...unknownTask(`${path}.${field}.task_id`, output.task_id, known));
    for (const [name, value] of Object.entries(output.context)) {
      const texts = textsIn(value).flatMap((text) =>
        placeholderProblems(text, `${path}.${field}.context.${name}`, known),
      );
      problems.push(...texts);
    }
  }
  return problems;
}

/** Checks the syntax of a condition and the tasks that it mentions. Problems name the column. */
function conditionProblems(text: string, path: string, known: ReadonlySet<string>): Problem[] {
  const parsed = parseCondition(conditionOf(text, "Any"));
  if (parsed.kind === "wrong") return [{ path, message: `Column ${parsed.column}: ${parsed.message}.` }];
  return parsed.mentions.flatMap(({ task_id, column }) =>
    unknownTask(path, task_id, known).map(({ message }) => ({ path, message: `Column ${column}: ${message}` })),
  );
}

/** Checks the placeholders of a text: unknown tasks, and texts that only resemble placeholders. */
function placeholderProblems(text: string, path: string, known: ReadonlySet<string>): Problem[] {
  const ids = new Set(placeholdersIn(text).map(({ task_id }) => task_id));
  const likely = [...text.matchAll(LIKELY)].filter(([, task = ""]) => known.has(task));
  const mistaken = likely.map(([whole, task = "", name = ""]): Problem => {
    return { path, message: `${whole} names nothing. Is {${task}.context.${name}} meant?` };
  });
  return [...[...ids].flatMap((id) => unknownTask(path, id, known)), ...mistaken];
}

/** Matches mistaken placeholders such as `{001.name}` and `{001.contxt.name}`. */
const LIKELY = /\{\s*([\w-]+)\.(?!context\.)(?:[^{}.\s]+\.)*([^{}.\s]+)\s*\}/g;

/** Returns all strings inside a JSON value. */
function textsIn(value: PlanContext[string]): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Checks the executor of a listener: its agent and prompt, or its code. */
function doerOf(
  { listener_type, agent_id, action_prompt, code_snippet }: Listener,
  path: string,
  agentNames: ReadonlySet<string> | null,
  checkCode: CheckCode,
): Problem[] {
  if (listener_type === "code") {
    const isEmpty = code_snippet === undefined || code_snippet === null || code_snippet.trim() === "";
    const problem = isEmpty ? null : checkCode(code_snippet);
    return problem === null ? [] : [{ path: `${path}.code_snippet`, message: problem }];
  }
  const problems: Problem[] = [];
  const agent = agent_id ?? "";
  if (agent === "") problems.push({ path: `${path}.agent_id`, message: "An agent listener needs an agent." });
  else if (agentNames !== null && !agentNames.has(agent)) {
    const message = `There is no agent ${agent}. ${nearestWords(agent, agentNames)}`.trim();
    problems.push({ path: `${path}.agent_id`, message });
  }
  if (action_prompt.trim() === "") {
    problems.push({ path: `${path}.action_prompt`, message: "An agent listener needs a prompt." });
  }
  return problems;
}
