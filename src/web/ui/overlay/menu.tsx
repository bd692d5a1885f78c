import { Ellipsis } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";
import { createLazyComponent } from "../lazy-component.tsx";
import { useMessages } from "../../session/language.ts";
import { IconButton } from "../button.tsx";

export type MenuItem = {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDangerous?: boolean;
  readonly onSelect: () => void;
};

const OpenMenu = createLazyComponent(() => import("./open-menu.tsx").then((script) => script.OpenMenu));
const preloadMenu = () => void OpenMenu.load().catch(() => {});

/**
 * A button that opens a menu of actions. The menu is a separate script, loaded on hover or focus of the first button.
 */
export function Menu({ label, items }: { readonly label?: string; readonly items: readonly MenuItem[] }) {
  const t = useMessages("common");
  const [wasOpened, setOpened] = useState(false);
  const name = label ?? t("moreActions");
  // The button stays mounted until it is pressed: replacing it under the pointer would lose the press or the focus.
  const button = (
    <IconButton
      label={name}
      aria-haspopup="menu"
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
      onClick={() => setOpened(true)}
    >
      <Ellipsis size={18} aria-hidden />
    </IconButton>
  );
  if (!wasOpened) return button;
  return (
    <Suspense fallback={button}>
      <OpenMenu label={name} items={items} />
    </Suspense>
  );
}
