// A failure in the transcript, with a retry button.

import { RotateCw } from "lucide-react";
import type { Item } from "../../protocol/wire/items.ts";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { FailureNotice } from "./failure-notice.tsx";
import type { ResendRequest } from "./transcript-row.ts";
import { useConversationCommands } from "./conversation-context.ts";
import { WORDS } from "./words.ts";

export function FailureRow({ item, again }: { readonly item: Item; readonly again: ResendRequest | undefined }) {
  return (
    <article>
      <FailureNotice item={item}>{again === undefined ? null : <RetryButton again={again} />}</FailureNotice>
    </article>
  );
}

export function RetryButton({ again: { message, ...options } }: { readonly again: ResendRequest }) {
  const say = useWords(WORDS);
  const { send } = useConversationCommands();
  return (
    // The second click of a double click must not send again.
    <Button onClick={({ detail }) => (detail > 1 ? undefined : send(message, options))}>
      <RotateCw size={14} aria-hidden />
      {say("retry")}
    </Button>
  );
}
