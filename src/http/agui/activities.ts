// Components as the activities of AG-UI: as they stand, or emptied, for clients keep those that are taken back.

import type { Item } from "../../protocol/items.ts";
import type { RunEvent } from "./events.ts";
import { componentIn, madeBy, type Placed } from "./transcript.ts";

export function isComponent({ event }: Item): boolean {
  return event === "component_generator";
}

type Component = Pick<Item, "item_id" | "payload"> & Placed;

export function activityOf(component: Component): RunEvent {
  const { item_id: messageId, payload } = component;
  const activityType = String(payload["component_type"]);
  const content = componentIn(String(payload["content"]));
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content, replace: true, ...madeBy(component) };
}

export function emptyOf({ item_id: messageId, payload }: Component): RunEvent {
  const activityType = String(payload["component_type"]);
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content: { taken_back: true }, replace: true };
}
