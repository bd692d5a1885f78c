import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import { useWords } from "../language.ts";
import styles from "./parent-conversation-link.module.css";
import { WORDS } from "./words.ts";

/** Replaces the message box in the conversation of a task: links to the parent conversation, which accepts messages. */
export function ParentConversationLink({ parentId }: { readonly parentId: string }) {
  const say = useWords(WORDS);
  return (
    <p className={styles["part"]}>
      {say("part")}{" "}
      <Link href={`/c/${encodeURIComponent(parentId)}`}>
        <ArrowLeft size={14} aria-hidden /> {say("whole")}
      </Link>
    </p>
  );
}
