import { MessageSquare, Plus, type LucideIcon } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useLocation } from "wouter";
import { isComposing } from "../../composing.ts";
import { useDebounced } from "../../conversations/debounced.ts";
import { useConversations } from "../../conversations/queries.ts";
import { useTitleOf } from "../../conversations/titles.ts";
import { useWords } from "../../language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { AREAS } from "../areas.ts";
import styles from "./palette.module.css";
import { WORDS as SHELL } from "../words.ts";
import { WORDS } from "./words.ts";

const SHOWN_CONVERSATIONS = 20;

type Place = { readonly path: string; readonly label: string; readonly Icon: LucideIcon };

/** Finds conversations and areas by parts of their names. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const say = useWords(WORDS);
  const id = useId();
  const [, navigate] = useLocation();
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const { places, isSearching } = usePlaces(words);
  const hasGone = useRef(false);
  // The dialog returns the focus to the previous element on close. After a navigation, release it, so that the new view
  // can take it.
  useEffect(
    () => () => {
      if (hasGone.current && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
    [],
  );
  const index = Math.min(chosen, places.length - 1);
  const go = (place: Place | undefined) => {
    if (place === undefined) return;
    hasGone.current = true;
    onClose();
    navigate(place.path);
  };
  const steer = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && places.length > 0) setChosen((index + step + places.length) % places.length);
    else if (event.key === "Enter") go(places[index]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={say("find")} onClose={onClose}>
      <input
        className={styles["input"]}
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={places.length === 0 ? undefined : `${id}-${index}`}
        aria-label={say("find")}
        placeholder={say("findHint")}
        autoComplete="off"
        maxLength={200}
        value={words}
        onKeyDown={steer}
        onChange={(event) => {
          setWords(event.target.value);
          setChosen(0);
        }}
      />
      <Results id={id} places={places} index={index} onChoose={setChosen} onGo={go} />
      <p role="status" className={styles["none"]}>
        {places.length === 0 && !isSearching ? say("nothingFound") : ""}
      </p>
    </Dialog>
  );
}

function Results({
  id,
  places,
  index,
  onChoose,
  onGo,
}: {
  readonly id: string;
  readonly places: readonly Place[];
  readonly index: number;
  readonly onChoose: (index: number) => void;
  readonly onGo: (place: Place) => void;
}) {
  const say = useWords(WORDS);
  return (
    <div id={`${id}-list`} className={styles["list"]} role="listbox" aria-label={say("results")}>
      {places.map((place, at) => (
        // Keys are handled by the input.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={place.path}
          id={`${id}-${at}`}
          ref={at === index ? intoView : undefined}
          className={styles["option"]}
          role="option"
          aria-selected={at === index}
          tabIndex={-1}
          onPointerMove={() => onChoose(at)}
          onClick={() => onGo(place)}
        >
          <place.Icon size={16} aria-hidden />
          <span>{place.label}</span>
        </div>
      ))}
    </div>
  );
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function calledSo(places: readonly Place[], words: string): Place[] {
  return places.filter(({ label }) => label.toLowerCase().includes(words.toLowerCase()));
}

/** Returns matching areas and conversations. `isSearching` is true until the results match the query. */
function usePlaces(words: string): { readonly places: readonly Place[]; readonly isSearching: boolean } {
  const say = useWords(SHELL);
  const titleOf = useTitleOf();
  const wanted = words.trim();
  const settled = useDebounced(wanted);
  const { conversations, isPlaceholderData, isFetching } = useConversations(settled);
  const areas: Place[] = [
    { path: "/", label: say("newConversation"), Icon: Plus },
    ...AREAS.map(({ path, name, Icon }) => ({ path, label: say(name), Icon })),
  ];
  const known = conversations.map((conversation) => ({
    path: `/c/${encodeURIComponent(conversation.conversation_id)}`,
    label: titleOf(conversation),
    Icon: MessageSquare,
  }));
  const isOlder = settled !== wanted || isPlaceholderData;
  // Until the server responds, filter the conversations that are already loaded.
  const found = (isOlder ? calledSo(known, wanted) : known).slice(0, SHOWN_CONVERSATIONS);
  return { places: [...calledSo(areas, wanted), ...found], isSearching: isOlder || isFetching };
}
