import { BookOpen, PanelLeftClose, Plus, Settings, Search, X } from "lucide-react";
import { use, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useDebouncedValue } from "../ui/text-input.ts";
import { ConversationList } from "../features/conversations/list/conversation-list.tsx";
import { useMessages } from "../session/language.ts";
import { IconButton } from "../ui/button.tsx";
import { findArea, AREAS } from "./areas.ts";
import { SidebarContext } from "../ui/panel.tsx";
import styles from "./sidebar.module.css";
import { openDialog } from "../session/open-dialog-state.ts";

/** Areas, search and the list of conversations. While there is a search text, the areas are hidden. */
export function Sidebar() {
  const t = useMessages("shell");
  const { setOpen } = use(SidebarContext);
  const scroller = useRef<HTMLDivElement>(null);
  const [searchText, setSearchText] = useState("");
  const debouncedText = useDebouncedValue(searchText.trim());
  return (
    <div className={styles["sidebar"]}>
      <header className={styles["head"]}>
        <Link href="/" className={styles["brand"]}>
          <img src="/icon.svg" alt="" width="26" height="26" />
          Orrery
        </Link>
        <IconButton label={t("closeSidebar")} aria-controls="sidebar" onClick={() => setOpen(false)}>
          <PanelLeftClose size={18} aria-hidden />
        </IconButton>
      </header>
      <Link href="/" className={styles["new"]}>
        <Plus size={18} aria-hidden />
        {t("newConversation")}
      </Link>
      <SearchField value={searchText} onChange={setSearchText} />
      <div ref={scroller} className={styles["scroller"]}>
        {searchText === "" ? <AreaLinks /> : null}
        <ConversationList q={searchText === "" ? "" : debouncedText} scroller={scroller} />
      </div>
      <footer className={styles["foot"]}>
        <button type="button" className={styles["area"]} onClick={() => openDialog({ kind: "settings" })}>
          <Settings size={18} aria-hidden />
          {t("settings")}
        </button>
        <a className={styles["area"]} href="/docs/" target="_blank" rel="noreferrer">
          <BookOpen size={18} aria-hidden />
          {t("docs")}
        </a>
      </footer>
    </div>
  );
}

function AreaLinks() {
  const t = useMessages("shell");
  const [path] = useLocation();
  const currentArea = findArea(path);
  return (
    <nav aria-label={t("mainNavigation")} className={styles["areas"]}>
      {AREAS.map((area) => (
        <Link
          key={area.path}
          href={area.path}
          className={`${styles["area"]} ${area === currentArea ? styles["active"] : ""}`}
          aria-current={area === currentArea ? "page" : undefined}
        >
          <area.Icon size={18} aria-hidden />
          {t(area.name)}
        </Link>
      ))}
    </nav>
  );
}

/** A search input. Escape and a button clear it and keep the focus. */
function SearchField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const t = useMessages("conversations");
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange("");
    input.current?.focus();
  };
  return (
    <search className={styles["search"]}>
      <Search size={16} aria-hidden />
      <input
        ref={input}
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        aria-label={t("search")}
        placeholder={t("search")}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || value === "") return;
          event.preventDefault();
          event.stopPropagation();
          clear();
        }}
      />
      {value === "" ? null : (
        <IconButton label={t("clearSearch")} onClick={clear}>
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </search>
  );
}
