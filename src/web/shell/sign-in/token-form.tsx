import { useState, type SubmitEvent } from "react";
import { createConversationsApi } from "../../../client/conversations.ts";
import { Fault } from "../../../protocol/wire/fault.ts";
import { useWords } from "../../language.ts";
import { toUserError } from "../../user-error.ts";
import { API_OPTIONS, signIn } from "../../account.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import styles from "./sign-in.module.css";
import { parsePastedToken } from "./parse-pasted-token.ts";
import { WORDS } from "./words.ts";

/** Signs in with a token after the server has accepted it. */
export function TokenForm() {
  const say = useWords(WORDS);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const signInWith = async (token: string) => {
    setBusy(true);
    try {
      await createConversationsApi({ url: API_OPTIONS.url, token }).listConversations({ limit: 1 });
      signIn(token);
    } catch (error) {
      const isRefused = error instanceof Fault && error.code === "unauthorized";
      setProblem(isRefused ? say("tokenRefused") : toUserError(error).message);
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = parsePastedToken(text);
    if (token === null) setProblem(say(text.trim() === "" ? "tokenMissing" : "tokenRefused"));
    else void signInWith(token);
  };
  return (
    <form className={styles["form"]} onSubmit={submit}>
      <Field
        type="password"
        label={say("token")}
        hint={say("tokenHint")}
        error={problem}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" look="primary" disabled={isBusy}>
        {say(isBusy ? "signingIn" : "signIn")}
      </Button>
    </form>
  );
}
