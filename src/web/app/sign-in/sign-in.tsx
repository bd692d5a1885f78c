import { useEffect } from "react";
import { useMessages } from "../../session/language.ts";
import { isSignedIn } from "../../session/account.ts";
import styles from "./sign-in.module.css";
import { formatDocumentTitle } from "../../ui/view-title.ts";
import { TokenForm } from "./token-form.tsx";

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
