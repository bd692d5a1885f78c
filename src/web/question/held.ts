// A workflow instance on hold asks a question. If several values are missing, the form of the instance collects them.

import type { Items } from "../../protocol/items.ts";
import { fieldsIn, fieldsOf, stringIn } from "../steps/values.ts";

/** Returns the id of the instance whose form answers the question; null if a text answer is sufficient. */
export function instanceWithForm(items: Items, requestId: string): string | null {
  for (const { payload } of items.values()) {
    if (payload["component_type"] !== "plan_instance") continue;
    const fields = fieldsIn(String(payload["content"])) ?? {};
    const { request_id, missing } = fieldsOf(fields["hold"]) ?? {};
    const isMuch = Array.isArray(missing) && missing.length > 1;
    if (request_id === requestId && isMuch) return stringIn(fields, "plan_instance_id");
  }
  return null;
}
