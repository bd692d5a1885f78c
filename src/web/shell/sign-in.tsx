import { useWords } from "../language.ts";
import { isSignedIn } from "../account.ts";
import styles from "./sign-in.module.css";
import { useTitle } from "./title.ts";
import { TokenForm } from "./token-form.tsx";
import { WORDS } from "./words.ts";

/** Stands in the place of everything until the person has signed in. */
export function SignIn() {
  const say = useWords(WORDS);
  useTitle(say("signInTitle"));
  return (
    <main className={styles["view"]} id="main" tabIndex={-1}>
      <div className={styles["card"]}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>{say("signInTitle")}</h1>
        <p className={styles["more"]}>{say(isSignedIn ? "tokenExpired" : "signInMore")}</p>
        <TokenForm />
      </div>
    </main>
  );
}
