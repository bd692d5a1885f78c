// Validates a plan template beyond its schema: ids, references, conditions, placeholders, executors and cycles.

import type {
  Listener,
  WorkflowConfig,
  WorkflowTaskContext,
  ListenerOutput,
} from "../../protocol/workflows/workflow-template.ts";
import { findSimilarNames } from "../../language/similar-names.ts";
import { findDeadlocks, type TemplateProblem } from "./find-deadlocks.ts";
import { compileTemplate, getConditionText, getMainTaskId, parseTriggerIds } from "./compile-template.ts";
import { parseCondition, parseResultCondition } from "../../protocol/workflows/condition.ts";
import { findPlaceholders, replacePlaceholders } from "./render-template.ts";

/** Returns the problem of a code snippet as a sentence; null if it is acceptable. */
export type CodeChecker = (code: string) => string | null;

/**
 * Returns all problems of a template; empty if it is acceptable. Agent names are not checked if `agentNames` is null,
 * snippets are not checked without `checkCode`. Deadlocks are only checked if there is no other problem.
 */
export function findTemplateProblems(
  config: WorkflowConfig,
  agentNames: ReadonlySet<string> | null,
  checkCode: CodeChecker = () => null,
): readonly TemplateProblem[] {
  const known = new Set(config.tasks.map(({ task_id }) => task_id));
  const problems = [
    ...findDuplicateIds(
      "tasks",
      "task_id",
      config.tasks.map(({ task_id }) => task_id),
    ),
    ...findDuplicateIds(
      "listeners",
      "listener_id",
      config.listeners.map(({ listener_id }) => listener_id),
    ),
    ...validateTasks(config, known),
    ...config.listeners.flatMap((listener, i) => [
      ...validateReferences(listener, `listeners.${i}`, known),
      ...validateExecutor(listener, `listeners.${i}`, agentNames, checkCode),
    ]),
  ];
  // Reachability requires valid references and conditions.
  return problems.length > 0 ? problems : findDeadlocks(compileTemplate(config), config);
}

/**
 * Returns the names (up to the first dot) of the values that an instance needs at its start: used by prompts of agents
 * and not set by any output of their task or the main task. Unique.
 */
export function listRequiredInputs(config: WorkflowConfig): readonly string[] {
  const main = getMainTaskId(config);
  const outputNames = new Set(config.listeners.flatMap(listOutputs).flatMap(listOutputNames));
  const used = config.listeners
    .filter(({ listener_type }) => listener_type === "agent")
    .flatMap(({ action_prompt, criterion }) => [
      ...findPlaceholders(action_prompt),
      ...listCriterionTexts(criterion).flatMap(findPlaceholders),
    ]);
  const isRequired = ({ task_id, name }: { readonly task_id: string; readonly name: string }): boolean =>
    !outputNames.has(`${task_id}.${getFirstPart(name)}`) && !outputNames.has(`${main}.${getFirstPart(name)}`);
  return [...new Set(used.filter(isRequired).map(({ name }) => getFirstPart(name)))];
}

/** Returns the part of a name before the first dot. */
function getFirstPart(name: string): string {
  return name.split(".", 1)[0] ?? name;
}

/** Returns the values that an output sets, as `task.name`. */
function listOutputNames({ task_id, context }: ListenerOutput): string[] {
  return Object.keys(context).map((name) => `${task_id}.${getFirstPart(name)}`);
}

/** Returns the one or two outputs of a listener. */
function listOutputs({ success_output: success, failure_output: failure }: Listener): ListenerOutput[] {
  return failure === undefined || failure === null ? [success] : [success, failure];
}

/** Returns a problem for each id that occurs before in the list. */
function findDuplicateIds(list: string, field: string, ids: readonly string[]): TemplateProblem[] {
  return ids.flatMap((id, i) =>
    ids.indexOf(id) === i ? [] : [{ path: `${list}.${i}.${field}`, message: `${id} is there twice.` }],
  );
}

/** Checks the main task and the parent references of the tasks. */
function validateTasks(config: WorkflowConfig, known: ReadonlySet<string>): TemplateProblem[] {
  const { main_task_id: main, tasks } = config;
  const marked = tasks.filter(({ is_main_task: isMain }) => isMain === true);
  const problems = main === undefined ? [] : findUnknownTask("main_task_id", main, known);
  if (main === undefined && marked.length > 1) {
    const ids = marked.map(({ task_id }) => task_id).join(" and ");
    problems.push({ path: "tasks", message: `There can be one main task only: ${ids} are marked as it.` });
  }
  for (const [i, { parent_task_id: parent }] of tasks.entries()) {
    if (parent !== undefined && parent !== null)
      problems.push(...findUnknownTask(`tasks.${i}.parent_task_id`, parent, known));
  }
  return problems;
}

/** Returns a problem if a task does not exist, with a suggestion if a similar id exists. */
function findUnknownTask(path: string, id: string, known: ReadonlySet<string>): TemplateProblem[] {
  if (known.has(id)) return [];
  return [{ path, message: `There is no task ${id}. ${formatSuggestion(id, known)}`.trim() }];
}

/** Formats the most similar known name as a suggestion; "" if none is similar. */
function formatSuggestion(name: string, known: ReadonlySet<string>): string {
  const [first] = findSimilarNames(name, [...known], 1);
  return first === undefined ? "" : `Is ${first} meant?`;
}

/** Checks the task references of a listener: triggers, conditions, prompt and outputs. */
function validateReferences(listener: Listener, path: string, known: ReadonlySet<string>): TemplateProblem[] {
  const triggers = parseTriggerIds(listener);
  const problems = triggers.flatMap((id) => findUnknownTask(`${path}.trigger_task_id`, id, known));
  if (triggers.length === 0) problems.push({ path: `${path}.trigger_task_id`, message: "names no task." });
  for (const field of ["trigger_condition", "action_condition"] as const) {
    problems.push(...validateCondition(listener[field], `${path}.${field}`, known));
  }
  problems.push(...validatePlaceholders(listener.action_prompt, `${path}.action_prompt`, known));
  problems.push(...validateCriterion(listener, `${path}.criterion`, known));
  for (const field of ["success_output", "failure_output"] as const) {
    const output = listener[field];
    if (output === undefined || output === null) continue;
    problems.push(...findUnknownTask(`${path}.${field}.task_id`, output.task_id, known));
    for (const [name, value] of Object.entries(output.context)) {
      const texts = collectStrings(value).flatMap((text) =>
        validatePlaceholders(text, `${path}.${field}.context.${name}`, known),
      );
      problems.push(...texts);
    }
  }
  return problems;
}

/** Checks the syntax of a condition and the tasks that it mentions. Problems name the column. */
function validateCondition(text: string, path: string, known: ReadonlySet<string>): TemplateProblem[] {
  const parsed = parseCondition(getConditionText(text, "Any"));
  if (parsed.kind === "wrong") return [{ path, message: `Column ${parsed.column}: ${parsed.message}.` }];
  return parsed.references.flatMap(({ task_id, column }) =>
    findUnknownTask(path, task_id, known).map(({ message }) => ({ path, message: `Column ${column}: ${message}` })),
  );
}

/** Checks the placeholders and the condition of a criterion. A code listener has none. */
function validateCriterion(
  { criterion, listener_type }: Listener,
  path: string,
  known: ReadonlySet<string>,
): TemplateProblem[] {
  if (criterion === undefined || criterion === null) return [];
  if (listener_type === "code") return [{ path, message: "Only an agent listener has a criterion." }];
  const texts = listCriterionTexts(criterion);
  const problems = texts.flatMap((text) => validatePlaceholders(text, path, known));
  const parsed = parseResultCondition(replacePlaceholders(criterion.holds, () => "0"));
  if (parsed.kind === "parsed") return problems;
  return [...problems, { path: `${path}.holds`, message: `Column ${parsed.column}: ${parsed.message}.` }];
}

/** Checks the placeholders of a text: unknown tasks, and texts that only resemble placeholders. */
function validatePlaceholders(text: string, path: string, known: ReadonlySet<string>): TemplateProblem[] {
  const ids = new Set(findPlaceholders(text).map(({ task_id }) => task_id));
  const likely = [...text.matchAll(MISTAKEN_PLACEHOLDER)].filter(([, task = ""]) => known.has(task));
  const mistaken = likely.map(([whole, task = "", name = ""]): TemplateProblem => {
    return { path, message: `${whole} names nothing. Is {${task}.context.${name}} meant?` };
  });
  return [...[...ids].flatMap((id) => findUnknownTask(path, id, known)), ...mistaken];
}

/** Matches mistaken placeholders such as `{001.name}` and `{001.contxt.name}`. */
const MISTAKEN_PLACEHOLDER = /\{\s*([\w-]+)\.(?!context\.)(?:[^{}.\s]+\.)*([^{}.\s]+)\s*\}/g;

function listCriterionTexts(criterion: Listener["criterion"]): string[] {
  return criterion === undefined || criterion === null ? [] : [criterion.holds, ...collectStrings(criterion.arguments)];
}

/** Returns all strings inside a JSON value. */
function collectStrings(value: WorkflowTaskContext[string]): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(collectStrings) : [];
}

/** Checks the executor of a listener: its agent and prompt, or its code. */
function validateExecutor(
  { listener_type, agent_id, action_prompt, code_snippet }: Listener,
  path: string,
  agentNames: ReadonlySet<string> | null,
  checkCode: CodeChecker,
): TemplateProblem[] {
  if (listener_type === "code") {
    const isEmpty = code_snippet === undefined || code_snippet === null || code_snippet.trim() === "";
    const problem = isEmpty ? null : checkCode(code_snippet);
    return problem === null ? [] : [{ path: `${path}.code_snippet`, message: problem }];
  }
  const problems: TemplateProblem[] = [];
  const agent = agent_id ?? "";
  if (agent === "") problems.push({ path: `${path}.agent_id`, message: "An agent listener needs an agent." });
  else if (agentNames !== null && !agentNames.has(agent)) {
    const message = `There is no agent ${agent}. ${formatSuggestion(agent, agentNames)}`.trim();
    problems.push({ path: `${path}.agent_id`, message });
  }
  if (action_prompt.trim() === "") {
    problems.push({ path: `${path}.action_prompt`, message: "An agent listener needs a prompt." });
  }
  return problems;
}
