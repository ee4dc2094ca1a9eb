import type { Host } from './contract.ts'
import { slot } from '#foundation/contract.ts'

/** The slot for the licence on a host's page: its plan, its renewal, and the switch for auto-renewal. */
export const hostLicence = slot<{ host: Host }>('hosts.licence')

/** The slot for the paid periods of this host so far. */
export const hostHistory = slot<{ host: Host }>('hosts.history')

/** The slot for the machines on which the host's licence runs. */
export const hostMachines = slot<{ host: Host }>('hosts.machines')

/** The slot for people who have seen the keys of this host and no longer have access. */
export const hostPeople = slot<{ host: Host }>('hosts.people')

/** The slot for actions on the hosts that are selected in the list; `onTakeOut` removes hosts from the selection. */
export const hostBulk = slot<{
  hosts: readonly Host[]
  onTakeOut: (ids: readonly string[]) => void
  onDone: () => void
}>('hosts.bulk')

/** The slot for tickets about this host. */
export const hostTickets = slot<{ host: Host }>('hosts.tickets')

/**
 * The slot for the button that adds a host, with a licence or without, and for its dialog. `isDialogOnly` leaves the button
 * out where another button opens the dialog by `?act=order`. The dialog must not disappear together with that button.
 */
export const hostOrder = slot<{ onOrdered?: (host: Host) => void; isDialogOnly?: boolean }>('hosts.order')
