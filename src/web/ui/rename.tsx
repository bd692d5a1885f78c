import { useId, useState, type SubmitEvent } from "react";
import { useWords } from "../language.ts";
import { refusalOf } from "../refusal.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { WORDS } from "./words.ts";

const MAX_NAME = 200;

/** Asks for a new name. Stays open and shows the error if `onRename` rejects. */
export function Rename({
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
  const [written, setWritten] = useState(name);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const rename = async () => {
    setBusy(true);
    try {
      await onRename(written.trim());
      onClose();
    } catch (thrown) {
      setProblem(refusalOf(thrown).message);
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (written.trim() === "") setProblem(say("nameMissing"));
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
          value={written}
          maxLength={MAX_NAME}
          error={problem}
          autoComplete="off"
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setWritten(event.target.value);
            setProblem(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
