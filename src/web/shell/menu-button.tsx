import { PanelLeft } from "lucide-react";
import { createContext, use } from "react";
import { useWords } from "../language.ts";
import { IconButton } from "../ui/button.tsx";
import styles from "./menu-button.module.css";
import { WORDS } from "./words.ts";

export const DrawerContext = createContext({ isOpen: false, setOpen: (_isOpen: boolean): void => {} });

/** Opens the sidebar where the screen has no room for it. */
export function MenuButton() {
  const say = useWords(WORDS);
  const { isOpen, setOpen } = use(DrawerContext);
  return (
    <span className={styles["place"]}>
      <IconButton label={say("openMenu")} aria-expanded={isOpen} aria-controls="sidebar" onClick={() => setOpen(true)}>
        <PanelLeft size={18} aria-hidden />
      </IconButton>
    </span>
  );
}
