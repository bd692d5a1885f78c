import { CalendarClock, ChartColumn, Clock, ListOrdered, Split, Wrench } from "lucide-react";
import { useWords } from "../language.ts";
import styles from "./welcome.module.css";
import { WORDS } from "./words.ts";

/** All of them work with the embedded model too, in both languages. */
const EXAMPLES = [
  { title: "exampleTime", message: "exampleTimeSay", Icon: Clock },
  { title: "exampleSteps", message: "exampleStepsSay", Icon: ListOrdered },
  { title: "exampleBeside", message: "exampleBesideSay", Icon: Split },
  { title: "exampleSchedule", message: "exampleScheduleSay", Icon: CalendarClock },
  { title: "exampleTool", message: "exampleToolSay", Icon: Wrench },
  { title: "exampleData", message: "exampleDataSay", Icon: ChartColumn },
] as const;

/** What stands where a conversation has not begun: what this is, and messages to begin with. */
export function Welcome({ onPick }: { readonly onPick: (message: string) => void }) {
  const say = useWords(WORDS);
  return (
    <section className={styles["welcome"]} aria-labelledby="welcome">
      <h2 id="welcome">{say("welcome")}</h2>
      <p className={styles["what"]}>{say("welcomeMore")}</p>
      <ul className={styles["examples"]} aria-label={say("examples")}>
        {EXAMPLES.map(({ title, message, Icon }) => (
          <li key={title}>
            <button type="button" className={styles["example"]} onClick={() => onPick(say(message))}>
              <Icon size={18} aria-hidden />
              <span>
                <strong>{say(title)}</strong>
                <span className={styles["message"]}>{say(message)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
