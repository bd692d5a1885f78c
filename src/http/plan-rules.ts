// Validation of plan templates (workflows) before they are stored or released.

import { problemsOf } from "../core/listeners/rules.ts";
import type { NamedConfig } from "../directory/plan-templates.ts";
import { problemWithCode } from "../durable/code.ts";
import { exceedsBytes } from "../protocol/commands.ts";
import { Fault } from "../protocol/fault.ts";
import { mint } from "../protocol/ids.ts";
import {
  MAX_TEMPLATE_BYTES,
  planConfigSchema,
  type PlanConfig,
  type PlanProblem,
  type PlanTemplate,
  type TemplateStatus,
} from "../protocol/plan-template.ts";
import { RESERVED_NAMES } from "./agent-names.ts";

/** Returns the template with default values for a missing plan id and main task. */
export function named(config: PlanConfig): NamedConfig {
  const main = config.tasks.find(({ is_main_task }) => is_main_task === true) ?? config.tasks[0];
  return {
    ...config,
    plan_id: config.plan_id ?? slugOf(config.name),
    main_task_id: config.main_task_id ?? main?.task_id ?? "",
  };
}

/** Returns the configuration of a stored template, without its other properties. */
export function plainly(template: PlanTemplate): NamedConfig {
  const { plan_id, main_task_id } = template;
  return { ...planConfigSchema.parse(template), plan_id, main_task_id };
}

/**
 * Validates a template. Throws a `Fault` with all problems. Names of unknown or conflicting agents prevent a release;
 * for a draft they are returned as warnings instead. Throws `too_large` above `MAX_TEMPLATE_BYTES`.
 */
export function judge(config: NamedConfig, status: TemplateStatus, agentNames: ReadonlySet<string>): PlanProblem[] {
  if (exceedsBytes(JSON.stringify(config), MAX_TEMPLATE_BYTES)) {
    throw new Fault("too_large", `A plan template must not exceed ${MAX_TEMPLATE_BYTES} bytes as JSON.`);
  }
  const flaws = problemsOf(config, null, problemWithCode);
  const isNew = ({ path, message }: PlanProblem) =>
    !flaws.some((flaw) => flaw.path === path && flaw.message === message);
  const missing = [...ofName(config.plan_id, agentNames), ...problemsOf(config, agentNames, problemWithCode)].filter(
    isNew,
  );
  if (flaws.length > 0 || status === "released") refuse([...flaws, ...missing]);
  return missing;
}

/** Throws `unprocessable` with all problems; returns if there are none. */
function refuse(problems: readonly PlanProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const words = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("\n");
  throw new Fault("unprocessable", words, { field: first.path, problems: [...problems] });
}

/**
 * Returns the problem of a plan id that is another agent's name, because a released template is an agent. Case is
 * ignored.
 */
function ofName(planId: string, agentNames: ReadonlySet<string>): PlanProblem[] {
  const taken = [...RESERVED_NAMES, ...agentNames].find((name) => name.toLowerCase() === planId.toLowerCase());
  return taken === undefined ? [] : [{ path: "plan_id", message: `there is an agent called ${taken} already` }];
}

/** Converts a name to an id of at most 48 characters. If the name has no Latin letters or digits, the id is random. */
function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 48);
  return slug === "" ? `plan-${mint("plan").slice(-12)}` : slug;
}
