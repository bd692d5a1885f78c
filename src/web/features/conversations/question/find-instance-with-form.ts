// A workflow instance on hold asks a question. If several values are missing, the form of the instance collects them.

import type { ItemMap } from "../../../../protocol/wire/items.ts";
import { parseFields, toFields, getStringField } from "../state/step-values.ts";

/** Returns the id of the instance on hold whose form answers the question; null if a text answer is sufficient. */
export function findInstanceWithForm(items: ItemMap, requestId: string): string | null {
  for (const { payload } of items.values()) {
    if (payload["component_type"] !== "plan_instance") continue;
    const fields = parseFields(String(payload["content"])) ?? {};
    const { request_id, missing } = toFields(fields["hold"]) ?? {};
    const needsForm = Array.isArray(missing) && missing.length > 1;
    if (request_id === requestId && needsForm) return getStringField(fields, "plan_instance_id");
  }
  return null;
}
