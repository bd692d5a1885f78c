import { PanelLeft } from "lucide-react";
import { createContext, use } from "react";
import { useMessages } from "../language.ts";
import { IconButton } from "../ui/button.tsx";
import type { SidebarState } from "./use-sidebar-state.ts";

/** The state of the sidebar, provided by `AppLayout`. */
export const SidebarContext = createContext<SidebarState>({ isDrawer: false, isOpen: true, setOpen: () => {} });

/** Opens the sidebar; hidden while the sidebar is visible beside the view. */
export function MenuButton() {
  const t = useMessages("shell");
  const { isDrawer, isOpen, setOpen } = use(SidebarContext);
  if (isOpen && !isDrawer) return null;
  return (
    <IconButton
      label={t("openSidebar")}
      aria-expanded={isOpen}
      aria-controls="sidebar"
      data-opens="sidebar"
      onClick={() => setOpen(true)}
    >
      <PanelLeft size={18} aria-hidden />
    </IconButton>
  );
}
