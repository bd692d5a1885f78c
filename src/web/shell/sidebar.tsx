import { BookOpen, PanelLeftClose, Plus, Settings } from "lucide-react";
import { use, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useDebouncedValue } from "../conversations/use-debounced-value.ts";
import { ConversationList } from "../conversations/conversation-list.tsx";
import { SearchField } from "../conversations/search-field.tsx";
import { useWords } from "../language.ts";
import { IconButton } from "../ui/button.tsx";
import { findArea, AREAS } from "./areas.ts";
import { SidebarContext } from "./menu-button.tsx";
import styles from "./sidebar.module.css";
import { openDialog } from "./open-dialog-state.ts";
import { WORDS } from "./words.ts";

/** Areas, search and the list of conversations. */
export function Sidebar() {
  const say = useWords(WORDS);
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
        <IconButton label={say("closeMenu")} aria-controls="sidebar" onClick={() => setOpen(false)}>
          <PanelLeftClose size={18} aria-hidden />
        </IconButton>
      </header>
      <Link href="/" className={styles["new"]}>
        <Plus size={18} aria-hidden />
        {say("newConversation")}
      </Link>
      <SearchField value={searchText} onChange={setSearchText} />
      <div ref={scroller} className={styles["scroller"]}>
        {searchText === "" ? <AreaLinks /> : null}
        <ConversationList q={searchText === "" ? "" : debouncedText} scroller={scroller} />
      </div>
      <footer className={styles["foot"]}>
        <button type="button" className={styles["area"]} onClick={() => openDialog({ kind: "settings" })}>
          <Settings size={18} aria-hidden />
          {say("settings")}
        </button>
        <a className={styles["area"]} href="/docs/" target="_blank" rel="noreferrer">
          <BookOpen size={18} aria-hidden />
          {say("docs")}
        </a>
      </footer>
    </div>
  );
}

function AreaLinks() {
  const say = useWords(WORDS);
  const [path] = useLocation();
  const currentArea = findArea(path);
  return (
    <nav aria-label={say("areas")} className={styles["areas"]}>
      {AREAS.map((area) => (
        <Link
          key={area.path}
          href={area.path}
          className={`${styles["area"]} ${area === currentArea ? styles["active"] : ""}`}
          aria-current={area === currentArea ? "page" : undefined}
        >
          <area.Icon size={18} aria-hidden />
          {say(area.name)}
        </Link>
      ))}
    </nav>
  );
}
