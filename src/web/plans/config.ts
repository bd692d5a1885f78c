import type { PlanInput, PlanTemplate } from "../../protocol/plan-template.ts";

/** Returns the editable part of a template: without version, status and times. */
export function configOf(template: PlanTemplate): PlanInput {
  const { version: _, status: __, created_at: ___, updated_at: ____, ...config } = template;
  return config;
}
