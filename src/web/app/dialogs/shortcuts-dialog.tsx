import { useMessages } from "../../session/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import styles from "./shortcuts-dialog.module.css";
import { isMac, SHORTCUTS } from "../shortcuts.ts";

/** Keys of the composer, which are not global shortcuts. */
const COMPOSER_KEYS = [
  { name: "send", keys: ["Enter"] },
  { name: "newLine", keys: ["Shift", "Enter"] },
  { name: "stop", keys: ["Esc"] },
  { name: "editLast", keys: ["↑"] },
] as const;

const SHORTCUT_KEYS = {
  palette: "find",
  new: "newConversation",
  sidebar: "toggleSidebar",
  shortcuts: "shortcuts",
} as const;

/** The dialog that lists the global shortcuts and the keys of the message box. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages("dialogs");
  const rows = [...SHORTCUTS.map(({ shortcut, keys }) => ({ name: SHORTCUT_KEYS[shortcut], keys })), ...COMPOSER_KEYS];
  return (
    <Dialog title={t("shortcuts")} onClose={onClose}>
      <dl className={styles["list"]}>
        {rows.map(({ name, keys }) => (
          <div key={name} className={styles["row"]}>
            <dt>{t(name)}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key === "Mod" ? (isMac() ? "⌘" : "Ctrl") : key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
