import { ArrowRight } from "lucide-react";
import { Link } from "wouter";
import { useAgentNames } from "../chat/names.ts";
import { useWords } from "../language.ts";
import styles from "./steps.module.css";
import { stringIn, type Fields } from "./values.ts";
import { WORDS } from "./words.ts";

/** Shows that an agent handed work to another, with a link to that conversation unless it is the current one. */
export function Handoff({ fields, here }: { readonly fields: Fields; readonly here: string }) {
  const say = useWords(WORDS);
  const id = stringIn(fields, "conversation_id");
  const agent = useAgentNames()(stringIn(fields, "agent_name"));
  return (
    <div className={styles["handoff"]}>
      <ArrowRight size={16} aria-hidden />
      <p>
        {say(fields["phase"] === "end" ? "handoffEnds" : "handoffStarts", { agent })}{" "}
        {id === "" || id === here ? null : <Link href={`/c/${encodeURIComponent(id)}`}>{say("openConversation")}</Link>}
      </p>
    </div>
  );
}
