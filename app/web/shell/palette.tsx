import { useDeferredValue, useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useProfile } from '#features/profile/web/calls.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { controlClass } from '#foundation/web/ui/control-class.ts'
import { m } from '#texts/messages.js'
import { actEntries, pageEntries } from './palette-entries.ts'
import { useFound } from './palette-search.ts'
import type { Entry } from './palette-entry.ts'

type Props = DialogProps & { onKeys: () => void }

/** Ctrl or ⌘ with K: leads to pages, servers, tickets and invoices by a part of their name, and begins acts. */
export function Palette({ open, onClose, onKeys }: Props) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const go = useGo()
  const { groups, searching } = useGroups(typed, onKeys)
  const entries = groups.flatMap((group) => group.entries)
  const chosen = entries[Math.min(at, entries.length - 1)]
  const run = (entry: Entry) => {
    onClose()
    if ('to' in entry) void go(entry.to)
    else entry.act()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step && chosen) setAt((entries.indexOf(chosen) + step + entries.length) % entries.length)
    else if (event.key === 'Enter' && chosen) run(chosen)
    else return
    event.preventDefault()
  }
  return (
    <Dialog open={open} onClose={onClose} title={m.shell_palette()} wide>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
        aria-label={m.shell_palette_search()}
        placeholder={m.shell_palette_search()}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        className={controlClass}
      />
      <div
        id={id}
        role="listbox"
        tabIndex={-1}
        aria-label={m.shell_palette()}
        aria-busy={searching}
        className="mt-3 h-96 max-h-[50dvh] overflow-y-auto"
      >
        {groups.map(({ text, entries: some }) => (
          <div key={text} role="group" aria-label={text}>
            <div aria-hidden="true" className="px-3 pt-2 pb-1 text-xs text-muted">
              {text}
            </div>
            {some.map((entry) => (
              <Choice
                key={entry.id}
                id={`${id}-${entry.id}`}
                entry={entry}
                chosen={entry === chosen}
                onRun={() => run(entry)}
                onPoint={() => setAt(entries.indexOf(entry))}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={entries.length === 0 ? 'px-3 py-2 text-sm text-muted' : 'sr-only'}>
        {entries.length === 0 ? (searching ? m.ui_loading() : m.shell_palette_nothing()) : ''}
      </p>
    </Dialog>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** What fits the words typed so far, in the order in which it is mostly meant. */
function useGroups(typed: string, onKeys: () => void) {
  const q = useDeferredValue(typed.trim())
  const locale = useLocale()
  const isStaff = useProfile().data?.is_staff ?? false
  const found = useFound(q, isStaff)
  const fits = (entry: Entry) =>
    q
      .toLocaleLowerCase(locale)
      .split(/\s+/)
      .every((word) => entry.text.toLocaleLowerCase(locale).includes(word))
  const groups = [
    { text: m.shell_palette_pages(), entries: pageEntries(isStaff).filter(fits) },
    ...found.groups,
    { text: m.shell_palette_acts(), entries: actEntries(onKeys).filter(fits) },
  ]
  return { groups: groups.filter(({ entries }) => entries.length > 0), searching: found.searching }
}

type ChoiceProps = { id: string; entry: Entry; chosen: boolean; onRun: () => void; onPoint: () => void }

function Choice({ id, entry, chosen, onRun, onPoint }: ChoiceProps) {
  return (
    // Keys are heard by the field, as in every combobox.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      ref={(element) => void (chosen && element?.scrollIntoView({ block: 'nearest' }))}
      onClick={onRun}
      onPointerMove={chosen ? undefined : onPoint}
      className={classNames(
        'flex cursor-pointer items-baseline justify-between gap-3 rounded-md px-3 py-2 text-sm',
        chosen && 'bg-hover',
      )}
    >
      <span className="min-w-0 truncate">{entry.text}</span>
      {entry.detail ? <span className="shrink-0 text-muted tabular-nums">{entry.detail}</span> : null}
    </div>
  )
}
