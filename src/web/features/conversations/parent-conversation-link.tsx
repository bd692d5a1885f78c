import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import { useMessages } from "../../session/language.ts";
import styles from "./parent-conversation-link.module.css";

/** Replaces the message box in the conversation of a task: links to the parent conversation, which accepts messages. */
export function ParentConversationLink({ parentId }: { readonly parentId: string }) {
  const t = useMessages("chat");
  return (
    <p className={styles["part"]}>
      {t("taskConversation")}{" "}
      <Link href={`/c/${encodeURIComponent(parentId)}`}>
        <ArrowLeft size={14} aria-hidden /> {t("openFullConversation")}
      </Link>
    </p>
  );
}
