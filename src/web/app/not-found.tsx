import { Link } from "wouter";
import { useMessages } from "../session/language.ts";
import { EmptyNotice } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";

/** The page for an unknown address. */
export function NotFound() {
  const t = useMessages("shell");
  return (
    <Panel title={t("notFound")}>
      <EmptyNotice title={t("notFoundMore")}>
        <Link href="/">{t("newConversation")}</Link>
      </EmptyNotice>
    </Panel>
  );
}
