import { useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { lazyPart, useLoaded } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { List } from '#foundation/web/ui/list.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import { columnsClass, HostRow, type HostAction } from './host-row.tsx'

const RenameHost = lazyPart(() => import('./rename-host.tsx').then((file) => file.RenameHost))
// Loaded separately, because most visits select nothing.
const Selection = lazyPart(() => import('./selection.tsx').then((file) => file.Selection))
const DeleteHost = lazyPart(() => import('./delete-host.tsx').then((file) => file.DeleteHost))

type Props = {
  hosts: readonly Host[]
  /** The rows shown belong to the previous filter. */
  outdated: boolean
}

/** The servers, each a row that leads to its page; `j` and `k` walk through them. */
export function HostList({ hosts, outdated }: Props) {
  const [chosen, setChosen] = useState<Host>()
  const selects = useLoaded(Selection)
  const rename = useLazyDialog(RenameHost)
  const remove = useLazyDialog(DeleteHost)
  const act = (what: HostAction, host: Host) => {
    setChosen(host)
    if (what === 'rename') rename.show()
    else remove.show()
  }
  return (
    <div className="@container">
      <div aria-hidden="true" className={classNames(columnsClass, 'hidden pb-2 text-xs text-muted @xl:grid')}>
        <span>{m.shell_server()}</span>
        <span>{m.hosts_connection()}</span>
        <span>{m.hosts_licence()}</span>
      </div>
      <List label={m.shell_servers()} isOutdated={outdated}>
        {hosts.map((host) => (
          <HostRow key={host.id} host={host} onAct={act}>
            {selects ? <Selection host={host} /> : null}
          </HostRow>
        ))}
      </List>
      {selects ? <Selection hosts={hosts} /> : null}
      {chosen && rename.open ? <RenameHost host={chosen} {...rename.dialog} /> : null}
      {chosen && remove.open ? <DeleteHost host={chosen} {...remove.dialog} /> : null}
    </div>
  )
}
