import { expect, test } from "vitest";
import { toEventDraft } from "../../src/core/agent-event-draft.ts";
import { deriveId, createId } from "../../src/protocol/wire/ids.ts";

const task = createId("task");
const place = { thread_id: createId("th"), task_id: task, agent_name: "w" };

test.each([
  ["by the agent's own id for it", "chart", "chart"],
  ["by none, where it has none", undefined, undefined],
  ["by none, where its id is empty", "", undefined],
  ["by no item of the runtime", deriveId(task, "call"), `${task}/${deriveId(task, "call")}`],
  ["by no paragraph", deriveId(task, "item"), `${task}/${deriveId(task, "item")}`],
])("a component goes %s", (_, component_id, item_id) => {
  const said = { type: "component", component_type: "card", content: "{}" } as const;
  const told = toEventDraft(place, component_id === undefined ? said : { ...said, component_id });
  expect(told.data.item_id).toBe(item_id);
});
