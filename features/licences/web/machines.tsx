import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { listMachines, releaseMachine, type Machine } from '#features/licences/machines.ts'
import { leaseSeconds } from '#features/licences/rules.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'

const FRESH_ms = 30_000

/**
 * The card with the machines on which a licence runs; nothing if no machine has reported itself. A floating licence shows
 * the machines that hold a seat.
 */
export function Machines({ host }: { host: Host }) {
  const floats = leaseSeconds(host.licence.entitlements) !== undefined
  const { data, error } = useQuery({
    ...queryFor(listMachines, { params: { hostId: host.id } }),
    ...(floats && { refetchInterval: FRESH_ms }),
  })
  const [released, setReleased] = useState<Machine>()
  const [open, setOpen] = useState(false)
  if (!data) return <Coming of={{ error }} />
  const { limit, lease_s, releases_left, items } = data
  if (items.length === 0 && lease_s === null) return null
  const role = host.account?.role
  const mayRelease = (lease_s !== null || releases_left > 0) && role !== 'billing' && !onlyReads(role)
  const act = (machine: Machine) => {
    setReleased(machine)
    setOpen(true)
  }
  return (
    <Card
      title={m.licences_machine_card()}
      description={
        lease_s === null
          ? m.licences_machine_card_text({ count: limit })
          : m.licences_seats_card_text({ count: limit, held: items.length, minutes: lease_s / 60 })
      }
    >
      {items.length === 0 ? (
        <p className="text-sm text-muted">{m.licences_seats_none_held()}</p>
      ) : (
        <List label={m.licences_machine_card()}>
          {items.map((machine) => (
            <MachineRow key={machine.id} machine={machine} onRelease={mayRelease ? act : undefined} />
          ))}
        </List>
      )}
      {items.some(({ shares_id }) => shares_id) ? (
        <p className="text-sm text-muted">{m.licences_machine_shares_id_text()}</p>
      ) : null}
      {releases_left === 0 && lease_s === null ? (
        <p className="text-sm text-muted">{m.licences_machines_none_left()}</p>
      ) : null}
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

type RowProps = { machine: Machine; onRelease: ((machine: Machine) => void) | undefined }

function MachineRow({ machine, onRelease }: RowProps) {
  const { address, last_seen, lease_until, is_over, shares_id } = machine
  return (
    <ListRow
      title={nameOf(machine)}
      badge={
        <>
          {is_over ? <Badge tone="danger">{m.licences_machine_over()}</Badge> : null}
          {shares_id ? <Badge tone="warning">{m.licences_machine_shares_id()}</Badge> : null}
        </>
      }
      detail={
        lease_until === null
          ? m.licences_machine_seen({ address, time: relativeTime(last_seen) })
          : m.licences_seat_held({ address, time: formatTime(lease_until) })
      }
      actions={
        onRelease ? (
          <Button onClick={() => onRelease(machine)}>
            {lease_until === null ? m.licences_machine_release() : m.licences_seat_free()}
          </Button>
        ) : null
      }
    />
  )
}

const nameOf = ({ hostname }: Machine): string => hostname ?? m.licences_machine_unnamed()

type ReleaseProps = { hostId: string; machine: Machine; left: number; open: boolean; onClose: () => void }

function Release({ hostId, machine, left, open, onClose }: ReleaseProps) {
  const name = nameOf(machine)
  const floats = machine.lease_until !== null
  const form = useForm(async () => {
    const answer = await call(releaseMachine, { params: { hostId, machineId: machine.id } })
    refreshQueries(listMachines)
    // A 404 means that the machine was released in another tab; the list, which is loaded again, shows it.
    if (answer.status !== 204 && answer.status !== 404) return answer
    toastSuccess(() =>
      floats ? m.licences_seat_freed({ machine: name }) : m.licences_machine_released({ machine: name }),
    )
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={
        floats
          ? m.licences_seat_free_title({ machine: name })
          : m.licences_machine_release_title({ machine: name })
      }
      description={floats ? m.licences_seat_free_text() : m.licences_machine_release_text({ left })}
      form={form}
      act={floats ? m.licences_seat_free() : m.licences_machine_release()}
      look="danger"
    />
  )
}
