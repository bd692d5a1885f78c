// Renders a component that an agent shows, by its type.

import { Puzzle } from "lucide-react";
import { textOf, type Item } from "../../protocol/items.ts";
import { visible } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Data } from "./data.tsx";
import { File } from "./file.tsx";
import { Fold } from "./fold.tsx";
import { Handoff } from "./handoff.tsx";
import { InstanceCard, InstancePart } from "./instance.tsx";
import { PageCard } from "./page-card.tsx";
import { RunCard, ScheduleCard } from "./schedule-card.tsx";
import { Shown } from "./shown.tsx";
import { SubtaskCard } from "./subtasks.tsx";
import { fieldsIn, inWords, parsed, stringIn, type Fields } from "./values.ts";
import { WORDS } from "./words.ts";

export function Component({ item }: { readonly item: Item }) {
  const type = stringIn(item.payload, "component_type");
  const text = textOf(item);
  if (type === "data") return <Data text={text} />;
  const fields = fieldsIn(text);
  return (fields === null ? null : known(type, fields, item)) ?? <Unknown of={item.item_id} type={type} text={text} />;
}

function known(type: string, fields: Fields, item: Item) {
  switch (type) {
    case "subagent_conversation":
      return <Handoff fields={fields} here={item.conversation_id} />;
    case "toolsmith_progress":
      return <SubtaskCard fields={fields} />;
    case "scheduled_task_controller":
      return <ScheduleCard fields={fields} />;
    case "scheduled_task_result":
      return <RunCard fields={fields} title={stringIn(item.metadata, "task_title")} />;
    case "page":
      return <PageCard fields={fields} />;
    case "plan_instance":
    case "plan_instance_link":
      return <InstanceCard fields={fields} />;
    case "plan_task":
    case "plan_value":
    case "plan_listener":
      return <InstancePart of={item.item_id} type={type} fields={fields} />;
    case "file":
      return <File fields={fields} />;
    default:
      return null;
  }
}

/** Shows a component of an unknown type or with invalid content as text or JSON. */
function Unknown({ of, type, text }: { readonly of: string; readonly type: string; readonly text: string }) {
  const say = useWords(WORDS);
  const name = visible(inWords(type));
  return (
    <Fold of={of} icon={<Puzzle size={16} aria-hidden />} title={say("component", { name })} standing="none">
      {() => <Shown content={parsed(text)} />}
    </Fold>
  );
}
