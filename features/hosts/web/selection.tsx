import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { hostBulk } from '#features/hosts/slots.ts'
import { actedFor, onlyReads } from '#foundation/web/acting.ts'
import { listenersOf } from '#foundation/web/listeners.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import { onLongPress } from '#foundation/web/long-press.ts'
import { RenewKeysButton } from './renew-keys-button.tsx'

// The selection belongs to the page: the boxes in the rows of the list and the bar below the list share it.
let chosen: ReadonlySet<string> = new Set()
const readers = listenersOf()

function choose(ids: Iterable<string>): void {
  chosen = new Set(ids)
  readers.notify()
}

const useChosen = (): ReadonlySet<string> => useSyncExternalStore(readers.add, () => chosen)

const toggle = (id: string): void =>
  choose(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id])

type Props = { host: Host; hosts?: undefined } | { hosts: readonly Host[]; host?: undefined }

/** The box of one server, or the bar below the list: one component, as they are loaded together. Helpers who cannot order get neither. */
export function Selection({ host, hosts }: Props) {
  if (actedFor()?.role === 'technical' || onlyReads()) return null
  return host ? <SelectHost host={host} /> : <SelectionBar hosts={hosts} />
}

/** The box that selects a server: before its name on wide screens; on a phone it comes with the first long press on a row. */
function SelectHost({ host }: { host: Host }) {
  const ids = useChosen()
  const label = useRef<HTMLLabelElement>(null)
  useEffect(() => {
    const row = label.current?.closest('li')
    return row ? onLongPress(row, () => toggle(host.id)) : undefined
  }, [host.id])
  return (
    // A click on the row leads to the page of the server; a click on the box must not.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <label
      ref={label}
      onClick={(event) => event.stopPropagation()}
      className={classNames(boxClass, ids.size === 0 && '@max-xl:not-focus-within:sr-only')}
    >
      <input
        type="checkbox"
        checked={ids.has(host.id)}
        onChange={() => toggle(host.id)}
        aria-label={m.hosts_select({ name: host.name })}
        className="size-5 cursor-pointer accent-accent"
      />
    </label>
  )
}

const boxClass =
  'relative z-10 col-span-2 flex cursor-pointer items-center @max-xl:min-h-6 @xl:absolute @xl:inset-y-0 @xl:left-0 @xl:w-12 @xl:justify-center'

/** The actions for the selected servers. A server that has left the list, by a filter or in another tab, is not selected any more. */
function SelectionBar({ hosts }: { hosts: readonly Host[] }) {
  const ids = useChosen()
  const selected = hosts.filter(({ id }) => ids.has(id))
  useEffect(() => () => choose([]), [])
  if (selected.length === 0) return null
  const takeOut = (out: readonly string[]) => choose([...chosen].filter((id) => !out.includes(id)))
  return (
    <section aria-label={m.hosts_selection()} className={barClass}>
      <p role="status" className="font-medium">
        {m.hosts_selected({ count: selected.length })}
      </p>
      <Button size="small" look="quiet" onClick={() => choose(hosts.map(({ id }) => id))}>
        {m.hosts_select_all()}
      </Button>
      <Button size="small" look="quiet" onClick={() => choose([])}>
        {m.hosts_select_none()}
      </Button>
      <div className="flex flex-wrap gap-2 sm:ml-auto">
        <Slot of={hostBulk} props={{ hosts: selected, onTakeOut: takeOut, onDone: () => choose([]) }} />
        <RenewKeysButton hosts={selected} onDone={() => choose([])} />
      </div>
    </section>
  )
}

const barClass =
  'sticky at-foot z-10 mt-4 flex flex-wrap items-center gap-x-2 gap-y-2 rounded-lg border border-line bg-raised px-4 py-3 ' +
  'text-sm shadow-menu'
