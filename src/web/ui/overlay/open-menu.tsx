import * as Dropdown from "@radix-ui/react-dropdown-menu";
import { Ellipsis } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "../button.tsx";
import type { MenuItem } from "./menu.tsx";
import styles from "./menu.module.css";

/** The menu with its button, initially open. Replaces the button that was pressed. */
export function OpenMenu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  // The action runs after the focus has returned to the button, since a dialog that it opens restores focus to there on
  // close.
  const chosen = useRef<(() => void) | null>(null);
  const runChosenAction = () => {
    const onSelect = chosen.current;
    chosen.current = null;
    if (onSelect !== null) queueMicrotask(onSelect);
  };
  return (
    // The modal variant inserts a style element, which the content security policy forbids.
    <Dropdown.Root modal={false} defaultOpen>
      <Dropdown.Trigger asChild>
        <IconButton label={label}>
          <Ellipsis size={18} aria-hidden />
        </IconButton>
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          className={styles["menu"]}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={runChosenAction}
        >
          {items.map(({ label: text, icon, isDangerous = false, onSelect }) => (
            <Dropdown.Item
              key={text}
              className={`${styles["item"]} ${isDangerous ? styles["dangerous"] : ""}`}
              onSelect={() => {
                chosen.current = onSelect;
              }}
            >
              {icon}
              {text}
            </Dropdown.Item>
          ))}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}
