// Renders a component that an agent shows, by its type.

import { Puzzle, ArrowRight, LayoutDashboard } from "lucide-react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { AttachedData, StepContent } from "./attached-data.tsx";
import { AttachedFile } from "./attached-file.tsx";
import { FoldableStep } from "./foldable-step.tsx";
import { WorkflowInstanceCard, WorkflowInstancePart } from "./workflow-instance-card.tsx";
import { ScheduleRunCard, ScheduleCard } from "./schedule-card.tsx";
import { SubtaskCard } from "./subtask-card.tsx";
import {
  parseFields,
  formatIdentifier,
  parseStepText,
  getStringField,
  type JsonFields,
  toFields,
} from "../state/step-values.ts";
import { Link } from "wouter";
import { useAgentNames } from "../../agents/use-agents.ts";
import styles from "./steps.module.css";

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

/**
 * Shows that work was handed to an agent or that the agent has finished it (`phase` is "end"), with a link to its
 * conversation unless it is shown already.
 */
function HandoffLine({
  fields,
  currentConversationId,
}: {
  readonly fields: JsonFields;
  readonly currentConversationId: string;
}) {
  const t = useMessages("steps");
  const id = getStringField(fields, "conversation_id");
  const agent = useAgentNames()(getStringField(fields, "agent_name"));
  return (
    <div className={styles["handoff"]}>
      <ArrowRight size={16} aria-hidden />
      <p>
        {t(fields["phase"] === "end" ? "handoffEnds" : "handoffStarts", { agent })}{" "}
        {id === "" || id === currentConversationId ? null : (
          <Link href={`/c/${encodeURIComponent(id)}`}>{t("openConversation")}</Link>
        )}
      </p>
    </div>
  );
}

const MAX_FIGURES = 4;

/** Shows a page that an agent builds: its title, summary, first figures and, once it is stored, a link to it. */
function PageCard({ fields }: { readonly fields: JsonFields }) {
  const t = useMessages("steps");
  const id = getStringField(fields, "page_id");
  const page = toFields(fields["page"]) ?? {};
  const meta = toFields(page["meta"]) ?? {};
  const title = escapeInvisible(getStringField(meta, "pageTitle"));
  const figures = listFigures(page);
  return (
    <section className={styles["card"]} aria-label={t("page")}>
      <div className={styles["head"]}>
        <LayoutDashboard size={16} aria-hidden />
        <strong>{title === "" ? t("page") : title}</strong>
      </div>
      <p className="quiet">{escapeInvisible(getStringField(meta, "summary"))}</p>
      {figures.length === 0 ? null : (
        <dl className={styles["kpis"]}>
          {figures.map((figure, i) => (
            <div key={i}>
              <dt>{escapeInvisible(getStringField(figure, "label"))}</dt>
              <dd>{escapeInvisible(getStringField(figure, "value"))}</dd>
            </div>
          ))}
        </dl>
      )}
      {id === "" ? (
        <p className="quiet">{t("pageBuilding")}</p>
      ) : (
        <Link className={styles["link"] ?? ""} href={`/pages/${encodeURIComponent(id)}`}>
          {t("openPage")}
        </Link>
      )}
    </section>
  );
}

/** Returns the first figures of a page, from the KPI grids of all its tabs. */
function listFigures(page: JsonFields): JsonFields[] {
  const blocks = getObjectList(page, "tabs").flatMap((tab) => getObjectList(tab, "blocks"));
  const grids = blocks.filter(({ type }) => type === "kpi_grid");
  return grids.flatMap((grid) => getObjectList(grid, "data")).slice(0, MAX_FIGURES);
}

function getObjectList(fields: JsonFields, name: string): JsonFields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.map(toFields).filter((entry) => entry !== null) : [];
}
