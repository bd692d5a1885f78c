// Components as AG-UI activities. Clients keep activities across message snapshots, so a removed component is emptied
// instead.

import type { Item } from "../../protocol/items.ts";
import type { RunEvent } from "./events.ts";
import { componentIn, madeBy, type Placed } from "./transcript.ts";

/** True for items that are sent as activities instead of messages. */
export function isComponent({ event }: Item): boolean {
  return event === "component_generator";
}

type Component = Pick<Item, "item_id" | "payload"> & Placed;

/** Returns the event that shows a component, or replaces it by its current content. */
export function activityOf(component: Component): RunEvent {
  const { item_id: messageId, payload } = component;
  const activityType = String(payload["component_type"]);
  const content = componentIn(String(payload["content"]));
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content, replace: true, ...madeBy(component) };
}

/** Returns the event that empties a removed component. */
export function emptyOf({ item_id: messageId, payload }: Component): RunEvent {
  const activityType = String(payload["component_type"]);
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content: { taken_back: true }, replace: true };
}
