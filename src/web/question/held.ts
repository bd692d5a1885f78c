// A plan that lacks values waits by a question. Words answer it where one value is missing; several have a form.

import type { Items } from "../../protocol/items.ts";
import { fieldsIn, fieldsOf, stringIn } from "../steps/values.ts";

/** The instance whose form has room for all that the question asks; null where there is none, or words will do. */
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
