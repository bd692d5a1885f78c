import { useEffect, useState, type SubmitEvent } from "react";
import { useMessages } from "../../session/language.ts";
import { isSignedIn, API_OPTIONS, signIn } from "../../session/account.ts";
import styles from "./sign-in.module.css";
import { formatDocumentTitle } from "../../ui/panel.tsx";
import { createConversationsApi } from "../../../client/conversations.ts";
import { Fault } from "../../../protocol/wire/fault.ts";
import { toUserError } from "../../session/user-error.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { parsePastedToken } from "./parse-pasted-token.ts";

/** The page that replaces the application until the user has signed in. Sets the title of the document. */
export function SignIn() {
  const t = useMessages("signIn");
  const title = t("title");
  useEffect(() => {
    document.title = formatDocumentTitle(title, 0);
  }, [title]);
  return (
    <main className={styles["view"]} id="main" tabIndex={-1}>
      <div className={styles["card"]}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>{title}</h1>
        <p className={styles["more"]}>{t(isSignedIn ? "tokenExpired" : "more")}</p>
        <TokenForm />
      </div>
    </main>
  );
}

/**
 * A form for a token. If the server accepts the token, stores it and reloads the page; otherwise shows the error.
 */
export function TokenForm() {
  const t = useMessages("signIn");
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
      setProblem(isRefused ? t("tokenRefused") : toUserError(error).message);
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = parsePastedToken(text);
    if (token === null) setProblem(t(text.trim() === "" ? "tokenMissing" : "tokenRefused"));
    else void signInWith(token);
  };
  return (
    <form className={styles["form"]} onSubmit={submit}>
      <Field
        type="password"
        label={t("token")}
        hint={t("tokenHint")}
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
        {t(isBusy ? "signingIn" : "signIn")}
      </Button>
    </form>
  );
}
