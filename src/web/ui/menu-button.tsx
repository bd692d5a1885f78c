import { PanelLeft } from "lucide-react";
import { createContext, use } from "react";
import { useMessages } from "../session/language.ts";
import { IconButton } from "./button.tsx";

export type SidebarState = {
  /** Narrow screen: the sidebar covers the view. */
  readonly isDrawer: boolean;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
};

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
