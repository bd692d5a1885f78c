import { useEffect } from "react";
import { useWords } from "../../language.ts";
import { isSignedIn } from "../../account.ts";
import styles from "./sign-in.module.css";
import { formatDocumentTitle } from "../view-title.ts";
import { TokenForm } from "./token-form.tsx";
import { WORDS } from "./words.ts";

/** Replaces the whole application until the user has signed in. */
export function SignIn() {
  const say = useWords(WORDS);
  const title = say("signInTitle");
  useEffect(() => {
    document.title = formatDocumentTitle(title, 0);
  }, [title]);
  return (
    <main className={styles["view"]} id="main" tabIndex={-1}>
      <div className={styles["card"]}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>{title}</h1>
        <p className={styles["more"]}>{say(isSignedIn ? "tokenExpired" : "signInMore")}</p>
        <TokenForm />
      </div>
    </main>
  );
}
