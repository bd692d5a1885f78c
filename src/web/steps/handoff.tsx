import { ArrowRight } from "lucide-react";
import { Link } from "wouter";
import { useAgentNames } from "../chat/names.ts";
import { useWords } from "../language.ts";
import styles from "./steps.module.css";
import { stringIn, type Fields } from "./values.ts";
import { WORDS } from "./words.ts";

/** One agent hands its work to another. `here` is the conversation that the reader is in: it needs no way to itself. */
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
