// Components as AG-UI activities. Clients keep activities across message snapshots, so a removed component is emptied
// instead.

import type { Item } from "../../protocol/wire/items.ts";
import type { RunEvent } from "./agui-events.ts";
import { parseComponent, toOriginMetadata, type OriginFields } from "./agui-messages.ts";

/** True for items that are sent as activities instead of messages. */
export function isComponent({ event }: Item): boolean {
  return event === "component_generator";
}

type ActivityComponent = Pick<Item, "item_id" | "payload"> & OriginFields;

/** Returns the event that shows a component, or replaces it by its current content. */
export function toActivity(component: ActivityComponent): RunEvent {
  const { item_id: messageId, payload } = component;
  const activityType = String(payload["component_type"]);
  const content = parseComponent(String(payload["content"]));
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content, replace: true, ...toOriginMetadata(component) };
}

/** Returns the event that empties a removed component. */
export function toEmptyActivity({ item_id: messageId, payload }: ActivityComponent): RunEvent {
  const activityType = String(payload["component_type"]);
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content: { taken_back: true }, replace: true };
}
