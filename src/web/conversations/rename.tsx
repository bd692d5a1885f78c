import { useId, useState, type SubmitEvent } from "react";
import type { Conversation } from "../../protocol/conversation.ts";
import { toFault } from "../../protocol/fault.ts";
import { useWords } from "../language.ts";
import { api } from "../first.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { WORDS as UI } from "../ui/words.ts";
import { useRefresh } from "./queries.ts";
import { markSeen } from "./seen.ts";
import { WORDS } from "./words.ts";

const MAX_TITLE = 200;

export function RenameConversation({
  conversation,
  onClose,
}: {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const sayUi = useWords(UI);
  const refresh = useRefresh();
  const form = useId();
  const [title, setTitle] = useState(conversation.title ?? "");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const rename = async () => {
    setBusy(true);
    try {
      markSeen(await api.renameConversation(conversation.conversation_id, title.trim()));
      await refresh();
      onClose();
    } catch (error) {
      setProblem(toFault(error).message);
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (title.trim() === "") setProblem(say("titleMissing"));
    else void rename();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{sayUi("cancel")}</Button>
      <Button look="primary" type="submit" form={form} disabled={isBusy}>
        {say("save")}
      </Button>
    </>
  );
  return (
    <Dialog title={say("renameTitle")} onClose={onClose} actions={actions}>
      <form id={form} onSubmit={submit}>
        <Field
          label={say("title")}
          value={title}
          maxLength={MAX_TITLE}
          error={problem}
          autoComplete="off"
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setTitle(event.target.value);
            setProblem(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
