import { useId, useState, type SubmitEvent } from "react";
import { useWords } from "../language.ts";
import { toUserError } from "../user-error.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { WORDS } from "./words.ts";

const MAX_NAME_CHARS = 200;

/** Asks for a new name. Stays open and shows the error if `onRename` rejects. */
export function RenameDialog({
  title,
  label,
  name,
  onRename,
  onClose,
}: {
  readonly title: string;
  readonly label: string;
  readonly name: string;
  readonly onRename: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const form = useId();
  const [input, setInput] = useState(name);
  const [errorText, setErrorText] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const rename = async () => {
    setBusy(true);
    try {
      await onRename(input.trim());
      onClose();
    } catch (thrown) {
      setErrorText(toUserError(thrown).message);
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (input.trim() === "") setErrorText(say("nameMissing"));
    else void rename();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{say("cancel")}</Button>
      <Button look="primary" type="submit" form={form} disabled={isBusy}>
        {say("save")}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      <form id={form} onSubmit={submit}>
        <Field
          label={label}
          value={input}
          maxLength={MAX_NAME_CHARS}
          error={errorText}
          autoComplete="off"
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setInput(event.target.value);
            setErrorText(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
