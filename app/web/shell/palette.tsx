import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { useProfile } from '#features/profile/web/hooks.ts'
import { isLonger, lengthText } from '#foundation/web/i18n/length-text.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useHotkeysEnabled } from '#foundation/web/hotkeys.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { useCombobox, type ComboboxOption } from '#foundation/web/ui/combobox.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Kbd } from '#foundation/web/ui/kbd.tsx'
import { m } from '#texts/messages.js'
import { actionEntries, usePageEntries } from './palette-entries.ts'
import { icons } from './palette-icons.ts'
import { recentPages, rememberPage } from './palette-recent.ts'
import { LONGEST, useFound } from './palette-search.ts'
import type { Entry } from './palette-entry.ts'
import { finds } from '#foundation/search-text.ts'

type Props = DialogProps & { onKeys: () => void }

/** The palette, opened by Ctrl+K or ⌘K: it finds pages, servers, tickets, invoices and actions by a part of their name. */
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
      if ('to' in entry) {
        rememberPage(entry)
        void go(entry.to)
      } else entry.act()
    },
  })
  return (
    <Dialog open={open} onClose={onClose} title={m.shell_palette()} wide bare>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search size={18} aria-hidden="true" className="shrink-0 text-muted" />
        <input
          {...field}
          aria-label={m.shell_palette_search()}
          placeholder={m.shell_palette_search()}
          spellCheck={false}
          className="h-13 min-w-0 flex-1 bg-transparent text-base focus-visible:outline-hidden placeholder:text-faint"
        />
        <button type="button" onClick={onClose} className="flex cursor-pointer rounded">
          <Kbd>Esc</Kbd>
          <span className="sr-only">{m.ui_close()}</span>
        </button>
      </div>
      <div
        {...list}
        tabIndex={-1}
        aria-label={m.shell_palette()}
        aria-busy={searching}
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2 empty:hidden"
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
      <p role="status" className={entries.length === 0 ? 'px-5 py-4 text-sm text-muted' : 'sr-only'}>
        {entries.length > 0 ? '' : searching ? m.ui_loading() : nothingText(typed)}
      </p>
    </Dialog>
  )
}

const nothingText = (typed: string): string =>
  isLonger(typed, LONGEST) ? lengthText(typed, LONGEST) : m.shell_palette_nothing()

/** Returns the entries that match the search text, in groups: recent pages, pages, found things, actions. */
function useGroups(typed: string, onKeys: () => void) {
  // The text is not deferred: Enter must choose an entry that matches all that was typed.
  const q = typed.trim()
  const isStaff = useProfile().data?.is_staff ?? false
  const found = useFound(q, isStaff)
  const fits = (entry: Entry) => finds(q, entry.text)
  // Read once when the palette opens, so that the list does not move under the pointer.
  const [recent] = useState(recentPages)
  const pages = usePageEntries()
  const isPage = (id: string) => pages.some((page) => page.id === id)
  const groups = [
    { text: m.shell_palette_recent(), entries: q === '' ? recent.filter(({ id }) => !isPage(id)) : [] },
    { text: m.shell_palette_pages(), entries: pages.filter(fits) },
    ...found.groups,
    { text: m.shell_palette_acts(), entries: actionEntries(onKeys, isStaff).filter(fits) },
  ]
  return { groups: groups.filter(({ entries }) => entries.length > 0), searching: found.searching }
}

const OFTEN_BELOW = { contentVisibility: 'auto' } as const

function Choice({ entry, option }: { entry: Entry; option: ComboboxOption }) {
  const Icon = typeof entry.icon === 'string' ? icons[entry.icon] : entry.icon
  const lettersOn = useHotkeysEnabled()
  return (
    <div
      {...option}
      // Most options lie below the first view; their height is that of the class, so nothing moves when they are drawn.
      style={OFTEN_BELOW}
      className={classNames(
        'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-sm',
        option['aria-selected'] && 'bg-hover',
      )}
    >
      <Icon size={16} aria-hidden="true" className="shrink-0 text-muted" />
      <span dir="auto" className="min-w-0 flex-1 truncate text-left">
        {entry.text}
      </span>
      {entry.detail ? <span className="shrink-0 text-muted">{entry.detail}</span> : null}
      {entry.keys !== undefined && lettersOn ? (
        <span aria-hidden="true" className="flex shrink-0 gap-1 max-sm:hidden">
          {entry.keys.split(' ').map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      ) : null}
    </div>
  )
}
