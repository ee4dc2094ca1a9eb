import Search from 'lucide-react/icons/search'
import { useEffect, useState } from 'react'
import { paths } from '#features/paths.ts'
import type { HelpedAccount } from '#features/sharing/contract.ts'
import { actedFor, actFor } from '#foundation/web/acting.ts'
import { isLonger } from '#foundation/web/i18n/length-text.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { useCombobox } from '#foundation/web/ui/combobox.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { useAccounts } from './hooks.ts'
import { roleText } from './role-text.ts'

type Choice = { id: string; text: string; detail: string; choose: () => void }

/**
 * The dialog that switches accounts (keys `g a`): the user's own account, all servers, and the accounts that the user helps, found
 * by a part of their name or address.
 */
export function AccountSwitcher({ open, onClose }: DialogProps) {
  const [typed, setTyped] = useState('')
  const q = useSettled(isLonger(typed, LONGEST) ? '' : typed.trim())
  const { data, isFetching } = useAccounts(q)
  const items = data?.items ?? []
  const choices = [...(typed.trim() === '' ? own() : []), ...items.map(choiceOf)]
  const { field, list, option } = useCombobox({
    typed,
    onType: setTyped,
    items: choices,
    onChoose: ({ choose }) => choose(),
  })
  const present = actedFor()?.id ?? 'own'
  return (
    <Dialog open={open} onClose={onClose} title={m.sharing_switch()} wide bare>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search size={18} aria-hidden="true" className="shrink-0 text-muted" />
        <input
          {...field}
          aria-label={m.sharing_switch_search()}
          placeholder={m.sharing_switch_search()}
          spellCheck={false}
          className="h-13 min-w-0 flex-1 bg-transparent text-base focus-visible:outline-hidden placeholder:text-faint"
        />
      </div>
      <div
        {...list}
        tabIndex={-1}
        aria-label={m.sharing_switch()}
        aria-busy={isFetching}
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2 empty:hidden"
      >
        {choices.map((choice) => {
          const props = option(choice)
          return (
            <div
              key={choice.id}
              {...props}
              aria-current={choice.id === present ? 'true' : undefined}
              className={classNames(
                'flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-sm',
                props['aria-selected'] && 'bg-hover',
              )}
            >
              <span dir="auto" className="min-w-0 flex-1">
                <span className="block truncate font-medium">{choice.text}</span>
                {choice.detail === '' ? null : (
                  <span className="block truncate text-muted">{choice.detail}</span>
                )}
              </span>
              {choice.id === present ? <span aria-hidden="true">✓</span> : null}
            </div>
          )
        })}
      </div>
      <p role="status" className="px-5 py-3 text-sm text-muted empty:sr-only">
        {isFetching
          ? ''
          : data?.next_cursor
            ? m.sharing_switch_more()
            : items.length === 0
              ? m.sharing_switch_none()
              : ''}
      </p>
    </Dialog>
  )
}

const own = (): Choice[] => [
  {
    id: 'own',
    text: m.sharing_own_account(),
    detail: '',
    choose: () => actFor(undefined, paths.hosts()),
  },
  {
    id: 'all',
    text: m.sharing_all_servers(),
    detail: m.sharing_all_servers_text(),
    choose: () => actFor(undefined, paths.sharedHosts('all')),
  },
]

const choiceOf = ({ id, name, email, role, through }: HelpedAccount): Choice => ({
  id,
  text: name,
  detail: [
    ...(email === '' || email === name ? [] : [email]),
    roleText(role),
    ...(through ? [m.sharing_through({ name: through.name })] : []),
  ].join(' · '),
  choose: () => actFor({ id, name, role }, paths.hosts()),
})

const LONGEST = 100
const PAUSE_ms = 150

/** Returns the typed text once it has not changed for PAUSE_ms. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_ms)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
