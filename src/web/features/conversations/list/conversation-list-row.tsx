import { CircleAlert, LoaderCircle, MessageCircleQuestion } from "lucide-react";
import { Link } from "wouter";
import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { useMessages } from "../../../session/language.ts";
import { Menu } from "../../../ui/overlay/menu.tsx";
import { useConversationActions } from "./conversation-actions.tsx";
import styles from "./conversation-list.module.css";
import type { ConversationListRow } from "./conversation-list-rows.ts";
import { useTitleFormatter } from "./conversation-queries.ts";

export type ConversationListState = {
  /** The id of the open conversation. */
  readonly current: string | undefined;
  readonly isUnread: (conversation: ConversationInfo) => boolean;
};

/** A heading or a conversation of the list, with its status, a mark if it is unread, and its menu. */
export function ConversationListRowView({
  row,
  state,
}: {
  readonly row: ConversationListRow;
  readonly state: ConversationListState;
}) {
  const t = useMessages("conversations");
  if (row.kind === "heading") return <h3 className={styles["heading"]}>{t(row.period)}</h3>;
  const { conversation } = row;
  const isCurrent = conversation.conversation_id === state.current;
  return <ConversationRow conversation={conversation} isCurrent={isCurrent} isUnread={state.isUnread(conversation)} />;
}

function ConversationRow({
  conversation,
  isCurrent,
  isUnread,
}: {
  readonly conversation: ConversationInfo;
  readonly isCurrent: boolean;
  readonly isUnread: boolean;
}) {
  const t = useMessages("conversations");
  const items = useConversationActions(conversation);
  const title = useTitleFormatter()(conversation);
  return (
    <div className={`${styles["row"]} ${isCurrent ? styles["current"] : ""}`}>
      <Link
        href={`/c/${encodeURIComponent(conversation.conversation_id)}`}
        className={`${styles["link"]} ${isUnread ? styles["unread"] : ""}`}
        aria-current={isCurrent ? "page" : undefined}
        title={title}
      >
        <bdi className={styles["title"]}>{title}</bdi>
        <ConversationStatusIcon status={conversation.status} />
        {isUnread ? (
          <span className={styles["dot"]}>
            <span className="visually-hidden">{t("unread")}</span>
          </span>
        ) : null}
      </Link>
      <span className={styles["menu"]}>
        <Menu label={t("actions", { title })} items={items} />
      </span>
    </div>
  );
}

function ConversationStatusIcon({ status }: { readonly status: ConversationInfo["status"] }) {
  const t = useMessages("conversations");
  switch (status) {
    case "require_user_input":
      return (
        <span className={styles["waiting"]} title={t("waiting")}>
          <MessageCircleQuestion size={16} aria-hidden />
          <span className="visually-hidden">{t("waiting")}</span>
        </span>
      );
    case "active":
      return (
        <span className={styles["running"]} title={t("running")}>
          <LoaderCircle className="turning" size={14} aria-hidden />
          <span className="visually-hidden">{t("running")}</span>
        </span>
      );
    case "failed":
      return (
        <span className={styles["failed"]} title={t("failed")}>
          <CircleAlert size={14} aria-hidden />
          <span className="visually-hidden">{t("failed")}</span>
        </span>
      );
    case "completed":
    case "inactive":
      return null;
  }
}
