import { Keyboard } from "lucide-react";
import type { Health } from "../../../protocol/wire/http-responses.ts";
import { LANGUAGES, setLanguage, useLanguage, useMessages, type UiLanguage } from "../../session/language.ts";
import { isSignedIn, signIn } from "../../session/account.ts";
import { setTheme, THEMES, useTheme } from "../../session/theme.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useHealth } from "../../session/initial-api.ts";
import { ProfileSettings } from "./profile-settings.tsx";
import styles from "./settings-dialog.module.css";
import { TokenForm } from "../sign-in/sign-in.tsx";
import { openDialog } from "../../session/open-dialog-state.ts";
import { useId } from "react";

const LANGUAGE_OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({
  value: value as UiLanguage,
  label,
  lang: value,
}));

/** The dialog of the settings: language, theme, profile, model of the server, account; with links to shortcuts and docs. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages("dialogs");
  const tShell = useMessages("shell");
  const tCommon = useMessages("common");
  const language = useLanguage();
  const theme = useTheme();
  const changeLanguage = (next: UiLanguage) =>
    void setLanguage(next).catch(() => showToast(tCommon("unreachable"), "failed"));
  const themes = THEMES.map((value) => ({ value, label: t(value) }));
  return (
    <Dialog title={tShell("settings")} onClose={onClose}>
      <div className={styles["settings"]}>
        <RadioGroup label={t("language")} value={language} options={LANGUAGE_OPTIONS} onChange={changeLanguage} />
        <RadioGroup label={t("theme")} value={theme} options={themes} onChange={setTheme} />
        <ProfileSettings />
        <ServerSettings />
        <Button className={styles["keys"]} onClick={() => openDialog({ kind: "shortcuts" })}>
          <Keyboard size={16} aria-hidden />
          {t("shortcuts")}
        </Button>
        <p className={styles["links"]}>
          <a href="/docs/" target="_blank" rel="noreferrer">
            {tShell("docs")}
          </a>
          <a href="/openapi.json" target="_blank" rel="noreferrer">
            {t("openapi")}
          </a>
        </p>
      </div>
    </Dialog>
  );
}

/** The model of the server and the user's account. */
function ServerSettings() {
  const t = useMessages("dialogs");
  const tShell = useMessages("shell");
  const { data, error, refetch } = useHealth();
  if (error !== null) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const { model, auth } = data;
  const describeModel = ({ kind, name }: Health["model"]) => {
    if (kind === "openai") return tShell("poweredBy", { name });
    return t(kind === "embedded" ? "embeddedMore" : "noModelMore");
  };
  return (
    <>
      <section className={styles["section"]}>
        <h3>{t("model")}</h3>
        <p>{describeModel(model)}</p>
        {model.kind === "openai" ? null : <p className="quiet">{t("modelSetup")}</p>}
      </section>
      <section className={styles["section"]}>
        <h3>{t("account")}</h3>
        {auth === "local" ? <p className="quiet">{t("localUser")}</p> : <AccountSettings />}
      </section>
    </>
  );
}

function AccountSettings() {
  const t = useMessages("dialogs");
  if (!isSignedIn) return <TokenForm />;
  return (
    <>
      <p className="quiet">{t("signedIn")}</p>
      <Button className={styles["start"]} onClick={() => signIn(null)}>
        {t("signOut")}
      </Button>
    </>
  );
}

/** A group of radio buttons. */
function RadioGroup<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly lang?: string }[];
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className={styles["choice"]}>
      <legend>{label}</legend>
      <div className={styles["options"]}>
        {options.map(({ value: option, label: text, lang }) => (
          <label key={option} className={styles["option"]} lang={lang}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
