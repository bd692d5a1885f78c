import * as Dropdown from "@radix-ui/react-dropdown-menu";
import { Ellipsis } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "./button.tsx";
import type { MenuItem } from "./menu.tsx";
import styles from "./menu.module.css";

/** Open at first: it takes the place of the button that was pressed. */
export function OpenMenu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  // What was chosen happens once the focus is back at the button, for a window that opens gives it back to there.
  const chosen = useRef<(() => void) | null>(null);
  const act = () => {
    const onSelect = chosen.current;
    chosen.current = null;
    if (onSelect !== null) queueMicrotask(onSelect);
  };
  return (
    // Modal, it would put a style of its own into the page, which the policy does not allow.
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
          onCloseAutoFocus={act}
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
