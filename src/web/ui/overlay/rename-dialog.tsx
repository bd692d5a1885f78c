import { useId, useState, type SubmitEvent } from "react";
import { useMessages } from "../../session/language.ts";
import { toUserError } from "../../session/user-error.ts";
import { Button } from "../button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "../field.tsx";

const MAX_NAME_CHARS = 200;

/**
 * Asks for a new name, initially `name`. Calls `onRename` with the trimmed name, which must not be empty; closes when
 * that resolves, and stays open with the error if it rejects.
 */
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
  const t = useMessages("common");
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
    if (input.trim() === "") setErrorText(t("nameMissing"));
    else void rename();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t("cancel")}</Button>
      <Button look="primary" type="submit" form={form} disabled={isBusy}>
        {t("save")}
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
