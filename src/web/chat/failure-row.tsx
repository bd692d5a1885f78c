// A failure in the transcript, with a retry button.

import { RotateCw } from "lucide-react";
import type { Item } from "../../protocol/items.ts";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { FailureNote } from "./failure.tsx";
import type { Again } from "./row-kinds.ts";
import { useTalkActions } from "./talk.ts";
import { WORDS } from "./words.ts";

export function FailureRow({ item, again }: { readonly item: Item; readonly again: Again | undefined }) {
  return (
    <article>
      <FailureNote item={item}>{again === undefined ? null : <TryAgain again={again} />}</FailureNote>
    </article>
  );
}

export function TryAgain({ again: { message, ...options } }: { readonly again: Again }) {
  const say = useWords(WORDS);
  const { send } = useTalkActions();
  return (
    // The second click of a double click must not send again.
    <Button onClick={({ detail }) => (detail > 1 ? undefined : send(message, options))}>
      <RotateCw size={14} aria-hidden />
      {say("retry")}
    </Button>
  );
}
