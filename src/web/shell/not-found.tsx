import { Link } from "wouter";
import { useWords } from "../language.ts";
import { EmptyNotice } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { WORDS } from "./words.ts";

/** The page for an unknown address. */
export function NotFound() {
  const say = useWords(WORDS);
  return (
    <Panel title={say("notFound")}>
      <EmptyNotice title={say("notFoundMore")}>
        <Link href="/">{say("newConversation")}</Link>
      </EmptyNotice>
    </Panel>
  );
}
