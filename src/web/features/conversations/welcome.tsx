import { CalendarClock, ChartColumn, Clock, ListOrdered, Split, Wrench } from "lucide-react";
import { useMessages } from "../../session/language.ts";
import { EmptyConversation } from "./empty-conversation.tsx";
import { useHealth } from "../../session/initial-api.ts";

/** These examples work with the embedded model in both languages. */
const EXAMPLES = [
  { title: "exampleTime", message: "exampleTimeMessage", Icon: Clock },
  { title: "exampleSteps", message: "exampleStepsMessage", Icon: ListOrdered },
  { title: "exampleParallel", message: "exampleParallelMessage", Icon: Split },
  { title: "exampleSchedule", message: "exampleScheduleMessage", Icon: CalendarClock },
  { title: "exampleTool", message: "exampleToolMessage", Icon: Wrench },
  { title: "exampleData", message: "exampleDataMessage", Icon: ChartColumn },
] as const;

/**
 * Shown in an empty conversation without a known agent. `hasExamples`: shows the example messages as well, unless the
 * server has no model.
 */
export function Welcome({
  hasExamples,
  onPick,
}: {
  readonly hasExamples: boolean;
  readonly onPick: (message: string) => void;
}) {
  const t = useMessages("shell");
  const hasNoModel = useHealth().data?.model.kind === "none";
  const shown = hasExamples && !hasNoModel ? EXAMPLES : [];
  const examples = shown.map(({ title, message, Icon }) => ({ title: t(title), message: t(message), Icon }));
  return (
    <EmptyConversation
      title={t("welcome")}
      more={t(hasNoModel ? "welcomeNoModel" : "welcomeMore")}
      label={t("examples")}
      examples={examples}
      onPick={onPick}
    />
  );
}
