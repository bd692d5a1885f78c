import { CalendarClock, ChartColumn, Clock, ListOrdered, Split, Wrench } from "lucide-react";
import { useWords } from "../language.ts";
import { EmptyConversation } from "./empty-conversation.tsx";
import { WORDS } from "./words.ts";

/** These examples work with the embedded model in both languages. */
const EXAMPLES = [
  { title: "exampleTime", message: "exampleTimeSay", Icon: Clock },
  { title: "exampleSteps", message: "exampleStepsSay", Icon: ListOrdered },
  { title: "exampleBeside", message: "exampleBesideSay", Icon: Split },
  { title: "exampleSchedule", message: "exampleScheduleSay", Icon: CalendarClock },
  { title: "exampleTool", message: "exampleToolSay", Icon: Wrench },
  { title: "exampleData", message: "exampleDataSay", Icon: ChartColumn },
] as const;

/** Shown in an empty conversation without a chosen agent; without examples if the requested agent is unknown. */
export function Welcome({
  hasExamples,
  onPick,
}: {
  readonly hasExamples: boolean;
  readonly onPick: (message: string) => void;
}) {
  const say = useWords(WORDS);
  const shown = hasExamples ? EXAMPLES : [];
  const examples = shown.map(({ title, message, Icon }) => ({ title: say(title), message: say(message), Icon }));
  return (
    <EmptyConversation
      title={say("welcome")}
      more={say("welcomeMore")}
      label={say("examples")}
      examples={examples}
      onPick={onPick}
    />
  );
}
