import { useEffect, useSyncExternalStore } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { hostBulk } from '#features/hosts/slots.ts'
import { actedFor, onlyReads } from '#foundation/web/acting.ts'
import { listenersOf } from '#foundation/web/listeners.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { SelectBox, SelectionFrame } from '#foundation/web/ui/selection.tsx'
import { m } from '#texts/messages.js'
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

/** The box that selects a server. */
function SelectHost({ host }: { host: Host }) {
  const ids = useChosen()
  return (
    <SelectBox
      key={host.id}
      label={m.hosts_select({ name: host.name })}
      isChosen={ids.has(host.id)}
      isSelecting={ids.size > 0}
      onToggle={() => toggle(host.id)}
    />
  )
}

/** The actions for the selected servers. A server that has left the list, by a filter or in another tab, is not selected any more. */
function SelectionBar({ hosts }: { hosts: readonly Host[] }) {
  const ids = useChosen()
  const selected = hosts.filter(({ id }) => ids.has(id))
  useEffect(() => () => choose([]), [])
  if (selected.length === 0) return null
  const takeOut = (out: readonly string[]) => choose([...chosen].filter((id) => !out.includes(id)))
  return (
    <SelectionFrame
      label={m.hosts_selection()}
      count={m.hosts_selected({ count: selected.length })}
      all={m.hosts_select_all()}
      none={m.hosts_select_none()}
      onAll={() => choose(hosts.map(({ id }) => id))}
      onNone={() => choose([])}
    >
      <Slot of={hostBulk} props={{ hosts: selected, onTakeOut: takeOut, onDone: () => choose([]) }} />
      <RenewKeysButton hosts={selected} onDone={() => choose([])} />
    </SelectionFrame>
  )
}
