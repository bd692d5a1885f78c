import { CircleCheck, CircleSlash, CircleX, Hourglass, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { unreachable } from "../../protocol/assert.ts";
import type { Approval } from "../../protocol/question.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { notesOf } from "./approval.ts";
import { ShownArguments } from "./shown-arguments.tsx";
import { decisionIn, type Asked, type Standing } from "./standing.ts";
import { WORDS } from "./words.ts";
import styles from "./question.module.css";

type ClosedStanding = Exclude<Standing, { readonly state: "open" }>;

/** Shows a closed question and its outcome. */
export function Closed({ asked, standing }: { readonly asked: Asked; readonly standing: ClosedStanding }) {
  const say = useWords(WORDS);
  const { approval, content } = asked;
  const words = approval === undefined ? content : notesOf(asked, approval).words;
  const edited = approval === undefined ? undefined : editedIn(approval, standing);
  return (
    <>
      {words === "" ? null : <Markdown text={words} />}
      {approval === undefined ? null : (
        <details className={styles["details"]}>
          <summary>{say(edited === undefined ? "argumentsShown" : "argumentsEdited")}</summary>
          <ShownArguments approval={edited === undefined ? approval : { ...approval, arguments: edited }} />
        </details>
      )}
      <Ending standing={standing} isApproval={approval !== undefined} isEdited={edited !== undefined} />
    </>
  );
}

/** Returns the approved arguments if they differ from the requested ones, otherwise undefined. */
function editedIn({ arguments: before }: Approval, standing: ClosedStanding): Approval["arguments"] | undefined {
  const edited = standing.state === "answered" ? standing.edited : undefined;
  return JSON.stringify(edited) === JSON.stringify(before) ? undefined : edited;
}

function Ending({
  standing,
  isApproval,
  isEdited,
}: {
  readonly standing: ClosedStanding;
  readonly isApproval: boolean;
  readonly isEdited: boolean;
}) {
  const say = useWords(WORDS);
  switch (standing.state) {
    case "answered":
      return isApproval ? (
        <Decided answer={standing.answer} isEdited={isEdited} />
      ) : (
        <End icon={CircleCheck} look="good" words={say("youAnswered")}>
          {standing.answer}
        </End>
      );
    case "expired":
      return <End icon={Hourglass} look="warn" words={say("expired")} />;
    case "cancelled":
      return <End icon={CircleSlash} look="quiet" words={say("cancelled")} />;
    case "superseded":
      return <End icon={CircleSlash} look="quiet" words={say("superseded")} />;
    default:
      return unreachable(standing);
  }
}

function Decided({ answer, isEdited }: { readonly answer: string; readonly isEdited: boolean }) {
  const say = useWords(WORDS);
  const decision = decisionIn(answer);
  switch (decision.kind) {
    case "approved":
      return <End icon={CircleCheck} look="good" words={say(isEdited ? "youApprovedEdited" : "youApproved")} />;
    case "refused":
      return (
        <End icon={CircleX} look="bad" words={say("youRefused")}>
          {decision.reason}
        </End>
      );
    case "words":
      return (
        <End icon={CircleCheck} look="good" words={say("youAnswered")}>
          {decision.words}
        </End>
      );
  }
}

function End({
  icon: Icon,
  look,
  words,
  children = "",
}: {
  readonly icon: LucideIcon;
  readonly look: "good" | "warn" | "bad" | "quiet";
  readonly words: string;
  readonly children?: ReactNode;
}) {
  return (
    <p className={styles["end"]}>
      <Icon className={styles[look]} size={18} aria-hidden />
      <span>
        <strong className={styles[look]}>{words}</strong>
        {children === "" ? null : <span className={styles["answer"]}>{children}</span>}
      </span>
    </p>
  );
}
