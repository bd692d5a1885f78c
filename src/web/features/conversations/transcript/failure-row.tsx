// A failure in the transcript, and the button that sends its message again.

import { RotateCw } from "lucide-react";
import type { Item } from "../../../../protocol/wire/items.ts";
import { useMessages } from "../../../session/language.ts";
import { Button } from "../../../ui/button.tsx";
import { FailureNotice } from "../items/failure-notice.tsx";
import type { ResendRequest } from "./transcript-row.ts";
import { useConversationCommands } from "../state/conversation-context.ts";

/** Without `resend`, there is no retry button. */
export function FailureRow({ item, resend }: { readonly item: Item; readonly resend: ResendRequest | undefined }) {
  return (
    <article>
      <FailureNotice item={item}>{resend === undefined ? null : <RetryButton resend={resend} />}</FailureNotice>
    </article>
  );
}

/** Sends the message again, as a new thread of the conversation. */
export function RetryButton({ resend: { message, ...options } }: { readonly resend: ResendRequest }) {
  const t = useMessages("chat");
  const { send } = useConversationCommands();
  return (
    // The second click of a double click must not send again.
    <Button onClick={({ detail }) => (detail > 1 ? undefined : send(message, options))}>
      <RotateCw size={14} aria-hidden />
      {t("retry")}
    </Button>
  );
}
