import type { PlanInput, PlanTemplate } from "../../protocol/plan-template.ts";

/** A template as it is written: without what the server says of it. */
export function configOf(template: PlanTemplate): PlanInput {
  const { version: _, status: __, created_at: ___, updated_at: ____, ...config } = template;
  return config;
}
