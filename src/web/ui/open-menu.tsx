import * as Dropdown from "@radix-ui/react-dropdown-menu";
import { Ellipsis } from "lucide-react";
import { IconButton } from "./button.tsx";
import type { MenuItem } from "./menu.tsx";
import styles from "./menu.module.css";

export function OpenMenu({
  label,
  items,
  isOpenAtFirst,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly isOpenAtFirst: boolean;
}) {
  return (
    // Modal, it would put a style of its own into the page, which the policy does not allow.
    <Dropdown.Root modal={false} defaultOpen={isOpenAtFirst}>
      <Dropdown.Trigger asChild>
        <IconButton label={label}>
          <Ellipsis size={18} aria-hidden />
        </IconButton>
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content className={styles["menu"]} align="end" sideOffset={4} collisionPadding={8}>
          {items.map(({ label: text, icon, isDangerous = false, onSelect }) => (
            <Dropdown.Item
              key={text}
              className={`${styles["item"]} ${isDangerous ? styles["dangerous"] : ""}`}
              onSelect={onSelect}
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
