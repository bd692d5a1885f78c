import { Bot, CalendarClock, LayoutDashboard, Plus, Workflow, Wrench } from "lucide-react";
import { Link } from "wouter";
import { ConversationList } from "../conversations/list.tsx";
import { useWords } from "../language.ts";
import styles from "./sidebar.module.css";
import { WORDS } from "./words.ts";

const AREAS = [
  { path: "/agents", name: "agents", Icon: Bot },
  { path: "/schedules", name: "schedules", Icon: CalendarClock },
  { path: "/pages", name: "pages", Icon: LayoutDashboard },
  { path: "/tools", name: "tools", Icon: Wrench },
  { path: "/plans", name: "plans", Icon: Workflow },
] as const;

export function Sidebar() {
  const say = useWords(WORDS);
  return (
    <div className={styles["sidebar"]}>
      <header className={styles["head"]}>
        <Link href="/" className={styles["brand"]}>
          <img src="/icon.svg" alt="" width="26" height="26" />
          Orrery
        </Link>
      </header>
      <Link href="/" className={styles["new"]}>
        <Plus size={18} aria-hidden />
        {say("newConversation")}
      </Link>
      <nav aria-label={say("areas")} className={styles["areas"]}>
        {AREAS.map(({ path, name, Icon }) => (
          <Link
            key={path}
            href={path}
            className={(isActive) => `${styles["area"]} ${isActive ? styles["active"] : ""}`}
          >
            <Icon size={18} aria-hidden />
            {say(name)}
          </Link>
        ))}
      </nav>
      <ConversationList />
    </div>
  );
}
