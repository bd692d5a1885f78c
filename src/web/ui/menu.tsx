import { Ellipsis } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";
import { lazily } from "../lazily.tsx";
import { useWords } from "../language.ts";
import { IconButton } from "./button.tsx";
import { WORDS } from "./words.ts";

export type MenuItem = {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDangerous?: boolean;
  readonly onSelect: () => void;
};

const OpenMenu = lazily(() => import("./open-menu.tsx").then((script) => script.OpenMenu));
const prepare = () => void OpenMenu.load().catch(() => {});

/** What can be done with something, behind a button. Its script is loaded when somebody reaches for the first one. */
export function Menu({ label, items }: { readonly label?: string; readonly items: readonly MenuItem[] }) {
  const say = useWords(WORDS);
  const [wasOpened, setOpened] = useState(false);
  const name = label ?? say("moreActions");
  // Until it is pressed it stays this very button: taken away under a finger or the focus, it would be lost to both.
  const button = (
    <IconButton
      label={name}
      aria-haspopup="menu"
      onPointerEnter={prepare}
      onFocus={prepare}
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
