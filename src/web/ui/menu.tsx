import { Ellipsis } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { useWords } from "../language.ts";
import { IconButton } from "./button.tsx";
import { WORDS } from "./words.ts";

export type MenuItem = {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDangerous?: boolean;
  readonly onSelect: () => void;
};

const OpenMenu = lazy(() => import("./open-menu.tsx").then(({ OpenMenu: component }) => ({ default: component })));

/** What can be done with something, behind a button. Its script is loaded when somebody reaches for the first one. */
export function Menu({ label, items }: { readonly label?: string; readonly items: readonly MenuItem[] }) {
  const say = useWords(WORDS);
  const [wanted, setWanted] = useState<"not" | "ready" | "open">("not");
  const name = label ?? say("moreActions");
  const button = (
    <IconButton
      label={name}
      aria-haspopup="menu"
      onPointerEnter={() => setWanted((now) => (now === "not" ? "ready" : now))}
      onFocus={() => setWanted((now) => (now === "not" ? "ready" : now))}
      onClick={() => setWanted("open")}
    >
      <Ellipsis size={18} aria-hidden />
    </IconButton>
  );
  if (wanted === "not") return button;
  return (
    <Suspense fallback={button}>
      <OpenMenu label={name} items={items} isOpenAtFirst={wanted === "open"} />
    </Suspense>
  );
}
