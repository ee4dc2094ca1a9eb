import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { listMachines, releaseMachine, type Machine } from '#features/licences/machines.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { relativeTime } from '#foundation/web/i18n/format.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'

/** The card with the machines on which a licence runs; nothing if no machine has reported itself. */
export function Machines({ host }: { host: Host }) {
  const { data, error } = useQuery(queryFor(listMachines, { params: { hostId: host.id } }))
  const [released, setReleased] = useState<Machine>()
  const [open, setOpen] = useState(false)
  if (!data) return <Coming of={{ error }} />
  if (data.items.length === 0) return null
  const { limit, releases_left, items } = data
  const role = host.account?.role
  const mayRelease = releases_left > 0 && role !== 'billing' && !onlyReads(role)
  return (
    <Card title={m.licences_machine_card()} description={m.licences_machine_card_text({ count: limit })}>
      <List label={m.licences_machine_card()}>
        {items.map((machine) => (
          <ListRow
            key={machine.id}
            title={nameOf(machine)}
            badge={
              <>
                {machine.is_over ? <Badge tone="danger">{m.licences_machine_over()}</Badge> : null}
                {machine.shares_id ? <Badge tone="warning">{m.licences_machine_shares_id()}</Badge> : null}
              </>
            }
            detail={m.licences_machine_seen({
              address: machine.address,
              time: relativeTime(machine.last_seen),
            })}
            actions={
              mayRelease ? (
                <Button
                  onClick={() => {
                    setReleased(machine)
                    setOpen(true)
                  }}
                >
                  {m.licences_machine_release()}
                </Button>
              ) : null
            }
          />
        ))}
      </List>
      {items.some(({ shares_id }) => shares_id) ? (
        <p className="text-sm text-muted">{m.licences_machine_shares_id_text()}</p>
      ) : null}
      {releases_left === 0 ? <p className="text-sm text-muted">{m.licences_machines_none_left()}</p> : null}
      {released ? (
        <Release
          hostId={host.id}
          machine={released}
          left={releases_left}
          open={open}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </Card>
  )
}

const nameOf = ({ hostname }: Machine): string => hostname ?? m.licences_machine_unnamed()

type ReleaseProps = { hostId: string; machine: Machine; left: number; open: boolean; onClose: () => void }

function Release({ hostId, machine, left, open, onClose }: ReleaseProps) {
  const name = nameOf(machine)
  const form = useForm(async () => {
    const answer = await call(releaseMachine, { params: { hostId, machineId: machine.id } })
    refreshQueries(listMachines)
    // A 404 means that the machine was released in another tab; the list, which is loaded again, shows it.
    if (answer.status !== 204 && answer.status !== 404) return answer
    toastSuccess(() => m.licences_machine_released({ machine: name }))
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.licences_machine_release_title({ machine: name })}
      description={m.licences_machine_release_text({ left })}
      form={form}
      act={m.licences_machine_release()}
      look="danger"
    />
  )
}
