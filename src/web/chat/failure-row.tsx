// A failure where it happened, and the way to try again.

import { RotateCw } from "lucide-react";
import type { Item } from "../../protocol/items.ts";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { FailureNote } from "./failure.tsx";
import { useTalkActions } from "./talk.ts";
import { WORDS } from "./words.ts";

export function FailureRow({ item, query }: { readonly item: Item; readonly query: string | undefined }) {
  const say = useWords(WORDS);
  const { send } = useTalkActions();
  return (
    <article>
      <FailureNote item={item}>
        {query === undefined ? null : (
          <Button onClick={() => send(query)}>
            <RotateCw size={14} aria-hidden />
            {say("retry")}
          </Button>
        )}
      </FailureNote>
    </article>
  );
}
