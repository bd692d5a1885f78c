import { MessageSquare, Plus, type LucideIcon } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useLocation } from "wouter";
import { isComposing, useDebouncedValue } from "../../ui/text-input.ts";
import { useConversations, useTitleFormatter } from "../../features/conversations/list/conversation-queries.ts";
import { useMessages } from "../../session/language.ts";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import { AREAS } from "../areas.ts";
import styles from "./command-palette.module.css";

const MAX_SHOWN_CONVERSATIONS = 20;

type PaletteTarget = { readonly path: string; readonly label: string; readonly Icon: LucideIcon };

/**
 * The dialog that finds areas by a part of their name, and at most `MAX_SHOWN_CONVERSATIONS` conversations by words of
 * their title, and opens the chosen result.
 */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages("dialogs");
  const id = useId();
  const [, navigate] = useLocation();
  const [searchText, setSearchText] = useState("");
  const [chosen, setChosen] = useState(0);
  const { targets, isSearching } = usePaletteTargets(searchText);
  const hasNavigated = useRef(false);
  // The dialog returns the focus to the previous element on close. After a navigation, release it, so that the new view
  // can take it.
  useEffect(
    () => () => {
      if (hasNavigated.current && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
    [],
  );
  const index = Math.min(chosen, targets.length - 1);
  const openTarget = (target: PaletteTarget | undefined) => {
    if (target === undefined) return;
    hasNavigated.current = true;
    onClose();
    navigate(target.path);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && targets.length > 0) setChosen((index + step + targets.length) % targets.length);
    else if (event.key === "Enter") openTarget(targets[index]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("find")} onClose={onClose}>
      <input
        className={styles["input"]}
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={targets.length === 0 ? undefined : `${id}-${index}`}
        aria-label={t("find")}
        placeholder={t("findHint")}
        autoComplete="off"
        maxLength={200}
        value={searchText}
        onKeyDown={handleKeyDown}
        onChange={(event) => {
          setSearchText(event.target.value);
          setChosen(0);
        }}
      />
      <PaletteResults id={id} targets={targets} index={index} onChoose={setChosen} onOpen={openTarget} />
      <p role="status" className={styles["none"]}>
        {targets.length === 0 && !isSearching ? t("nothingFound") : ""}
      </p>
    </Dialog>
  );
}

function PaletteResults({
  id,
  targets,
  index,
  onChoose,
  onOpen,
}: {
  readonly id: string;
  readonly targets: readonly PaletteTarget[];
  readonly index: number;
  readonly onChoose: (index: number) => void;
  readonly onOpen: (target: PaletteTarget) => void;
}) {
  const t = useMessages("dialogs");
  return (
    <div id={`${id}-list`} className={styles["list"]} role="listbox" aria-label={t("results")}>
      {targets.map((target, at) => (
        // Keys are handled by the input.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={target.path}
          id={`${id}-${at}`}
          ref={at === index ? scrollIntoView : undefined}
          className={styles["option"]}
          role="option"
          aria-selected={at === index}
          tabIndex={-1}
          onPointerMove={() => onChoose(at)}
          onClick={() => onOpen(target)}
        >
          <target.Icon size={16} aria-hidden />
          <span>{target.label}</span>
        </div>
      ))}
    </div>
  );
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function filterTargets(targets: readonly PaletteTarget[], searchText: string): PaletteTarget[] {
  return targets.filter(({ label }) => label.toLowerCase().includes(searchText.toLowerCase()));
}

/** Returns matching areas and conversations. `isSearching` is true until the results match the query. */
function usePaletteTargets(searchText: string): {
  readonly targets: readonly PaletteTarget[];
  readonly isSearching: boolean;
} {
  const t = useMessages("shell");
  const formatTitle = useTitleFormatter();
  const query = searchText.trim();
  const debouncedQuery = useDebouncedValue(query);
  const { conversations, isPlaceholderData, isFetching } = useConversations(debouncedQuery);
  const areas: PaletteTarget[] = [
    { path: "/", label: t("newConversation"), Icon: Plus },
    ...AREAS.map(({ path, name, Icon }) => ({ path, label: t(name), Icon })),
  ];
  const known = conversations.map((conversation) => ({
    path: `/c/${encodeURIComponent(conversation.conversation_id)}`,
    label: formatTitle(conversation),
    Icon: MessageSquare,
  }));
  const isOlder = debouncedQuery !== query || isPlaceholderData;
  // Until the server responds, filter the conversations that are already loaded.
  const found = (isOlder ? filterTargets(known, query) : known).slice(0, MAX_SHOWN_CONVERSATIONS);
  return { targets: [...filterTargets(areas, query), ...found], isSearching: isOlder || isFetching };
}
