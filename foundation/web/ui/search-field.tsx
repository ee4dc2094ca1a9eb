import Search from 'lucide-react/icons/search'
import { useEffect, useId, useRef, useState } from 'react'
import { useHotkeys } from '#foundation/web/hotkeys.ts'
import { isLonger, lengthText } from '#foundation/web/i18n/length-text.ts'
import { afterPress } from './after-press.ts'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'

type Props = {
  /** The name of the field for screen readers. Others see a magnifier and the placeholder. */
  label: string
  placeholder: string
  /** The current search. The field shows it when it changes from outside, as by going back in the history. */
  value: string
  /** Called a moment after the last key. */
  onSearch: (text: string) => void
}

/** A field that filters a list while a person types. The key `/` moves the focus into the first one of the page. */
export function SearchField({ label, placeholder, value, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const pending = useRef<{ text: string; timer: number } | null>(null)
  // The timer must call the newest `onSearch`: an older one would undo a filter that was chosen while the timer ran.
  const newest = useRef(onSearch)
  useEffect(() => {
    newest.current = onSearch
  })
  useHotkeys({
    '/': (event) => {
      if (document.querySelector('input[type=search]') !== input.current) return
      event.preventDefault()
      input.current?.focus()
    },
  })
  const id = useId()
  const [note, setNote] = useState('')
  useEffect(() => {
    // The text of a field must not change while a person types in it.
    if (input.current && input.current !== document.activeElement) input.current.value = value
  }, [value])
  useEffect(() => () => clearTimeout(pending.current?.timer), [])
  /** Takes what is still to be searched for. Returns the search for it, which does nothing if there is nothing. */
  const taken = (): (() => void) => {
    const waiting = pending.current
    pending.current = null
    clearTimeout(waiting?.timer)
    return () => {
      if (waiting) newest.current(waiting.text)
    }
  }
  const search = () => taken()()
  return (
    <div className="relative w-full sm:w-72">
      <Search
        size={16}
        aria-hidden="true"
        className="pointer-events-none absolute top-3 left-3 sm:top-2.5 text-muted"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={note === '' ? undefined : id}
        aria-invalid={note !== ''}
        className={classNames(controlClass, 'truncate pl-9')}
        onChange={(event) => {
          const text = event.target.value.trim()
          clearTimeout(pending.current?.timer)
          pending.current = null
          const isTooLong = isLonger(text, MOST)
          setNote(isTooLong ? lengthText(text, MOST) : '')
          if (isTooLong) return
          pending.current = { text, timer: window.setTimeout(search, PAUSE_ms) }
        }}
        // The search must not run long after the field was left: it changes the address, and would lead away from a page opened
        // meanwhile. A press on a row goes first, since the search replaces the rows.
        onBlur={() => afterPress(taken())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search()
        }}
      />
      <p id={id} role="status" className="mt-1 text-sm text-danger-text empty:sr-only">
        {note}
      </p>
    </div>
  )
}

const PAUSE_ms = 250
/** The most characters of a search that the server takes. */
const MOST = 100
