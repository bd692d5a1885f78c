import { expect, test } from "vitest";
import { toEventDraft } from "../../src/core/turn/agent-event-draft.ts";
import { deriveId, createId } from "../../src/protocol/wire/ids.ts";

const task = createId("task");
const fields = { thread_id: createId("th"), task_id: task, agent_name: "w" };

test.each([
  ["the component id of the agent", "chart", "chart"],
  ["no id if the component has none", undefined, undefined],
  ["no id if the component id is empty", "", undefined],
  [
    "a prefixed id if it equals the id of a tool call item",
    deriveId(task, "call"),
    `${task}/${deriveId(task, "call")}`,
  ],
  ["a prefixed id if it equals the id of a paragraph", deriveId(task, "item"), `${task}/${deriveId(task, "item")}`],
])("toEventDraft() gives a component %s", (_, component_id, item_id) => {
  const event = { type: "component", component_type: "card", content: "{}" } as const;
  const draft = toEventDraft(fields, component_id === undefined ? event : { ...event, component_id });
  expect(draft.data.item_id).toBe(item_id);
});
