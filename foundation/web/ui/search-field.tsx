import Search from 'lucide-react/icons/search'
import { useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'

type Props = {
  /** Read out; a magnifier and the placeholder say it to the eye. */
  label: string
  placeholder: string
  /** What is searched for now: what was typed follows it when it changes from elsewhere, as by the way back. */
  value: string
  /** Told a moment after the last key. */
  onSearch: (text: string) => void
}

/** A field that narrows a list while one types. */
export function SearchField({ label, placeholder, value, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef(0)
  useEffect(() => {
    // Never under the fingers of somebody who types on.
    if (input.current && input.current !== document.activeElement) input.current.value = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <div role="search" className="relative w-full sm:w-72">
      <Search
        size={16}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={value}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        className={classNames(controlClass, 'pl-9')}
        onChange={(event) => {
          const text = event.target.value.trim()
          clearTimeout(timer.current)
          timer.current = window.setTimeout(() => onSearch(text), PAUSE_ms)
        }}
      />
    </div>
  )
}

const PAUSE_ms = 250
