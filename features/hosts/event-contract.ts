import * as z from 'zod/mini'
import { published } from '#foundation/published.ts'
import { alert } from './alert-contract.ts'
import { publishedOfHost as ofHost, seeHosts } from './contract.ts'

/** Account events of servers. */

export const hostCreated = ofHost('host.created', 'A server was added.')
export const hostUpdated = ofHost('host.updated', 'The name, an address or the automatic renewal changed.')
export const hostConnected = ofHost('host.connected', 'A server reports for the first time, or again.')
export const hostOffline = ofHost('host.silent', 'A server has stopped to report.')
export const addressMismatched = ofHost(
  'host.address_mismatched',
  'A server reports from another address than its own.',
)

const named = { id: z.string(), name: z.string() }

export const hostRemoved = published('host.deleted', {
  summary: 'A server was deleted.',
  data: z.strictObject(named),
  opens: seeHosts,
})
export const hostGiven = published('host.transferred', {
  summary: 'A server changed hands: both accounts get the event, one as given and one as received.',
  data: z.strictObject({ ...named, direction: z.enum(['given', 'received']) }),
  opens: seeHosts,
})

export const alertOpened = published('alert.opened', {
  summary: 'A server is silent for too long, or a disk of it is nearly full.',
  data: alert,
  opens: seeHosts,
})

export const alertClosed = published('alert.closed', {
  summary: 'A server of which an alert was open is well again, or its rule was switched off.',
  data: alert,
  opens: seeHosts,
})
