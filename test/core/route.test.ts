import { expect, test } from "vitest";
import { route } from "../../src/core/route.ts";
import { companion, mint } from "../../src/protocol/ids.ts";

const task = mint("task");
const place = { thread_id: mint("th"), task_id: task, agent_name: "w" };

test.each([
  ["by the agent's own id for it", "chart", "chart"],
  ["by none, where it has none", undefined, undefined],
  ["by none, where its id is empty", "", undefined],
  ["by no item of the runtime", companion(task, "call"), `${task}/${companion(task, "call")}`],
  ["by no paragraph", companion(task, "item"), `${task}/${companion(task, "item")}`],
])("a component goes %s", (_, component_id, item_id) => {
  const said = { type: "component", component_type: "card", content: "{}" } as const;
  const told = route(place, component_id === undefined ? said : { ...said, component_id });
  expect(told.data.item_id).toBe(item_id);
});
