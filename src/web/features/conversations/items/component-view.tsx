// Renders a component that an agent shows, by its type.

import { Puzzle } from "lucide-react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { AttachedData } from "./attached-data.tsx";
import { AttachedFile } from "./attached-file.tsx";
import { FoldableStep } from "./foldable-step.tsx";
import { HandoffLine } from "./handoff-line.tsx";
import { WorkflowInstanceCard, WorkflowInstancePart } from "./workflow-instance-card.tsx";
import { PageCard } from "./page-card.tsx";
import { ScheduleRunCard, ScheduleCard } from "./schedule-card.tsx";
import { StepContent } from "./step-content.tsx";
import { SubtaskCard } from "./subtask-card.tsx";
import { parseFields, formatIdentifier, parseStepText, getStringField, type JsonFields } from "../state/step-values.ts";

/** An unknown type or invalid content is shown folded, as text or JSON. */
export function ComponentView({ item }: { readonly item: Item }) {
  const type = getStringField(item.payload, "component_type");
  const text = getItemText(item);
  if (type === "data") return <AttachedData text={text} />;
  const fields = parseFields(text);
  return (
    (fields === null ? null : renderKnownComponent(type, fields, item)) ?? (
      <UnknownComponent itemId={item.item_id} type={type} text={text} />
    )
  );
}

function renderKnownComponent(type: string, fields: JsonFields, item: Item) {
  switch (type) {
    case "subagent_conversation":
      return <HandoffLine fields={fields} currentConversationId={item.conversation_id} />;
    case "toolsmith_progress":
      return <SubtaskCard fields={fields} />;
    case "scheduled_task_controller":
      return <ScheduleCard fields={fields} />;
    case "scheduled_task_result":
      return <ScheduleRunCard fields={fields} title={getStringField(item.metadata, "task_title")} />;
    case "page":
      return <PageCard fields={fields} />;
    case "plan_instance":
    case "plan_instance_link":
      return <WorkflowInstanceCard fields={fields} />;
    case "plan_task":
    case "plan_value":
    case "plan_listener":
      return <WorkflowInstancePart itemId={item.item_id} type={type} fields={fields} />;
    case "file":
      return <AttachedFile fields={fields} />;
    default:
      return null;
  }
}

/** Shows a component of an unknown type or with invalid content as text or JSON. */
function UnknownComponent({
  itemId,
  type,
  text,
}: {
  readonly itemId: string;
  readonly type: string;
  readonly text: string;
}) {
  const t = useMessages("steps");
  const name = escapeInvisible(formatIdentifier(type));
  return (
    <FoldableStep
      itemId={itemId}
      icon={<Puzzle size={16} aria-hidden />}
      title={t("component", { name })}
      status="none"
    >
      {() => <StepContent content={parseStepText(text)} />}
    </FoldableStep>
  );
}
