import { Keyboard } from "lucide-react";
import { LANGUAGES, setLanguage, useLanguage, useWords, type UiLanguage } from "../../language.ts";
import { isSignedIn, signIn } from "../../account.ts";
import { setTheme, THEMES, useTheme } from "../../theme.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { RadioGroup } from "./radio-group.tsx";
import { useHealth } from "../use-health.ts";
import styles from "./settings-dialog.module.css";
import { TokenForm } from "../sign-in/token-form.tsx";
import { openDialog } from "../open-dialog-state.ts";
import { WORDS as SHELL } from "../words.ts";
import { WORDS } from "./words.ts";

const LANGUAGE_OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({
  value: value as UiLanguage,
  label,
  lang: value,
}));

/** The dialog of the settings. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const say = useWords(WORDS);
  const sayShell = useWords(SHELL);
  const language = useLanguage();
  const theme = useTheme();
  const themes = THEMES.map((value) => ({ value, label: say(value) }));
  return (
    <Dialog title={sayShell("settings")} onClose={onClose}>
      <div className={styles["settings"]}>
        <RadioGroup label={say("language")} value={language} options={LANGUAGE_OPTIONS} onChange={setLanguage} />
        <RadioGroup label={say("theme")} value={theme} options={themes} onChange={setTheme} />
        <ServerSettings />
        <Button className={styles["keys"]} onClick={() => openDialog({ kind: "shortcuts" })}>
          <Keyboard size={16} aria-hidden />
          {say("shortcuts")}
        </Button>
        <p className={styles["links"]}>
          <a href="/docs/" target="_blank" rel="noreferrer">
            {sayShell("docs")}
          </a>
          <a href="/openapi.json" target="_blank" rel="noreferrer">
            {say("openapi")}
          </a>
        </p>
      </div>
    </Dialog>
  );
}

/** The model of the server and the user's account. */
function ServerSettings() {
  const say = useWords(WORDS);
  const sayShell = useWords(SHELL);
  const { data, error, refetch } = useHealth();
  if (error !== null) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const { model, auth } = data;
  return (
    <>
      <section className={styles["section"]}>
        <h3>{say("model")}</h3>
        <p>{model.kind === "embedded" ? say("embeddedMore") : sayShell("answeredBy", { name: model.name })}</p>
        {model.kind === "embedded" ? <p className={styles["quiet"]}>{say("embeddedSet")}</p> : null}
      </section>
      <section className={styles["section"]}>
        <h3>{say("account")}</h3>
        {auth === "local" ? <p className={styles["quiet"]}>{say("localUser")}</p> : <AccountSettings />}
      </section>
    </>
  );
}

function AccountSettings() {
  const say = useWords(WORDS);
  if (!isSignedIn) return <TokenForm />;
  return (
    <>
      <p className={styles["quiet"]}>{say("signedIn")}</p>
      <Button className={styles["start"]} onClick={() => signIn(null)}>
        {say("signOut")}
      </Button>
    </>
  );
}
