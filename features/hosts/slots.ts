import type { Host } from './contract.ts'
import { slot } from '#foundation/contract.ts'

/** The licence on a host's page: its plan, renewing, the switch. */
export const hostLicence = slot<{ host: Host }>('hosts.licence')

/** The paid periods of this host so far. */
export const hostHistory = slot<{ host: Host }>('hosts.history')

/** The machines on which its licence runs. */
export const hostMachines = slot<{ host: Host }>('hosts.machines')

/** The slot for actions on many hosts at once: those that are selected in the list, and how to take some out of them. */
export const hostBulk = slot<{
  hosts: readonly Host[]
  onTakeOut: (ids: readonly string[]) => void
  onDone: () => void
}>('hosts.bulk')

/** The slot for tickets about this host. */
export const hostTickets = slot<{ host: Host }>('hosts.tickets')

/**
 * The button for a new host, with a licence or without, and its dialog. The dialog alone if another button
 * leads there by `?act=order`: it must not disappear with the button that opened it.
 */
export const hostOrder = slot<{ onOrdered?: (host: Host) => void; isDialogOnly?: boolean }>('hosts.order')
