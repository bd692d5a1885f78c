import { Search, X } from "lucide-react";
import { useRef } from "react";
import { useWords } from "../language.ts";
import { IconButton } from "../ui/button.tsx";
import styles from "./search-field.module.css";
import { WORDS } from "./words.ts";

/** A search input. Escape clears it. */
export function SearchField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const say = useWords(WORDS);
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
        aria-label={say("search")}
        placeholder={say("search")}
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
        <IconButton label={say("clear")} onClick={clear}>
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </search>
  );
}
