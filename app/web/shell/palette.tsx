import { useDeferredValue, useState } from 'react'
import { useProfile } from '#features/profile/web/calls.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { useCombobox, type ComboboxOption } from '#foundation/web/ui/combobox.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { actEntries, pageEntries } from './palette-entries.ts'
import { useFound } from './palette-search.ts'
import type { Entry } from './palette-entry.ts'

type Props = DialogProps & { onKeys: () => void }

/** Ctrl or ⌘ with K: leads to pages, servers, tickets and invoices by a part of their name, and begins acts. */
export function Palette({ open, onClose, onKeys }: Props) {
  const [typed, setTyped] = useState('')
  const go = useGo()
  const { groups, searching } = useGroups(typed, onKeys)
  const entries = groups.flatMap((group) => group.entries)
  const { field, list, option } = useCombobox({
    typed,
    onType: setTyped,
    items: entries,
    onChoose(entry) {
      onClose()
      if ('to' in entry) void go(entry.to)
      else entry.act()
    },
  })
  return (
    <Dialog open={open} onClose={onClose} title={m.shell_palette()} wide>
      <input
        {...field}
        aria-label={m.shell_palette_search()}
        placeholder={m.shell_palette_search()}
        spellCheck={false}
        maxLength={100}
      />
      <div
        {...list}
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
              <Choice key={entry.id} entry={entry} option={option(entry)} />
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

function Choice({ entry, option }: { entry: Entry; option: ComboboxOption }) {
  return (
    <div
      {...option}
      className={classNames(
        'flex cursor-pointer items-baseline justify-between gap-3 rounded-md px-3 py-2 text-sm',
        option['aria-selected'] && 'bg-hover',
      )}
    >
      <span className="min-w-0 truncate">{entry.text}</span>
      {entry.detail ? <span className="shrink-0 text-muted tabular-nums">{entry.detail}</span> : null}
    </div>
  )
}
