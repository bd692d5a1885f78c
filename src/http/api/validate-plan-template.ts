// Validation of plan templates (workflows) before they are stored or released.

import { findTemplateProblems } from "../../core/listeners/validate-template.ts";
import type { IdentifiedPlanConfig } from "../../directory/template-directory.ts";
import { findCodeProblem } from "../../durable/conversation/listener-code.ts";
import { exceedsBytes } from "../../lib/text-size.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { createId } from "../../protocol/wire/ids.ts";
import {
  MAX_WORKFLOW_TEMPLATE_BYTES,
  workflowConfigSchema,
  type WorkflowConfig,
  type WorkflowProblem,
  type WorkflowTemplate,
  type WorkflowTemplateStatus,
} from "../../protocol/workflows/workflow-template.ts";
import { RESERVED_AGENT_NAMES } from "./agents.ts";

/**
 * Returns a configuration without other members, with a missing plan id, derived from the name, and a missing main task:
 * the flagged or the first task.
 */
export function withDefaultIds(input: WorkflowConfig): IdentifiedPlanConfig {
  const config = workflowConfigSchema.strip().parse(input);
  const main = config.tasks.find(({ is_main_task }) => is_main_task === true) ?? config.tasks[0];
  return {
    ...config,
    plan_id: config.plan_id ?? createSlug(config.name),
    main_task_id: config.main_task_id ?? main?.task_id ?? "",
  };
}

/** Returns the configuration of a stored template, without its other properties. */
export function toNamedConfig(template: WorkflowTemplate): IdentifiedPlanConfig {
  const { plan_id, main_task_id } = template;
  return { ...workflowConfigSchema.strip().parse(template), plan_id, main_task_id };
}

/**
 * Validates a template. Throws `unprocessable` with all problems, and `too_large` above `MAX_WORKFLOW_TEMPLATE_BYTES`.
 * Unknown agents, and an id that is an agent's name, are problems of a release; otherwise they are returned as
 * warnings.
 */
export function validatePlanTemplate(
  config: IdentifiedPlanConfig,
  status: WorkflowTemplateStatus,
  agentNames: ReadonlySet<string>,
): WorkflowProblem[] {
  if (exceedsBytes(JSON.stringify(config), MAX_WORKFLOW_TEMPLATE_BYTES)) {
    throw createFault("too_large", createMessage("workflow.tooLarge", { maxBytes: MAX_WORKFLOW_TEMPLATE_BYTES }));
  }
  const problems = findTemplateProblems(config, null, findCodeProblem);
  const isNew = ({ path, message }: WorkflowProblem) =>
    !problems.some((flaw) => flaw.path === path && flaw.message === message);
  const agentProblems = [
    ...findNameConflict(config.plan_id, agentNames),
    ...findTemplateProblems(config, agentNames, findCodeProblem),
  ].filter(isNew);
  if (problems.length > 0 || status === "released") throwProblems([...problems, ...agentProblems]);
  return agentProblems;
}

/** Throws `unprocessable` with all problems; returns if there are none. */
function throwProblems(problems: readonly WorkflowProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const sentence = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("\n");
  throw new Fault("unprocessable", sentence, { field: first.path, problems: [...problems] });
}

/**
 * Returns the problem of a plan id that is another agent's name, because a released template is an agent. Case is
 * ignored.
 */
function findNameConflict(planId: string, agentNames: ReadonlySet<string>): WorkflowProblem[] {
  const taken = [...RESERVED_AGENT_NAMES, ...agentNames].find((name) => name.toLowerCase() === planId.toLowerCase());
  return taken === undefined ? [] : [{ path: "plan_id", message: `is already the name of the agent ${taken}` }];
}

/** Converts a name to an id of at most 48 characters. If the name has no Latin letters or digits, the id is random. */
function createSlug(name: string): string {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 48);
  return slug === "" ? `plan-${createId("plan").slice(-12)}` : slug;
}
