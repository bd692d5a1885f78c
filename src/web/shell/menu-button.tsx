import { PanelLeft } from "lucide-react";
import { createContext, use } from "react";
import { useWords } from "../language.ts";
import { IconButton } from "../ui/button.tsx";
import type { SidebarState } from "./use-sidebar-state.ts";
import { WORDS } from "./words.ts";

export const SidebarContext = createContext<SidebarState>({ isDrawer: false, isOpen: true, setOpen: () => {} });

/** Opens the sidebar; hidden while the sidebar is visible beside the view. */
export function MenuButton() {
  const say = useWords(WORDS);
  const { isDrawer, isOpen, setOpen } = use(SidebarContext);
  if (isOpen && !isDrawer) return null;
  return (
    <IconButton
      label={say("openMenu")}
      aria-expanded={isOpen}
      aria-controls="sidebar"
      data-opens="sidebar"
      onClick={() => setOpen(true)}
    >
      <PanelLeft size={18} aria-hidden />
    </IconButton>
  );
}
