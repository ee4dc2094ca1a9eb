import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { email, requiredText, translated, uuid } from '#foundation/fields.ts'
import { optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { emailText, named, time, uuidText } from '#foundation/printed.ts'
import { host, hostId } from './contract.ts'

/** A server goes to another account: its owner offers it to an address, and an account that has proven this address accepts. */

const transfer = z.strictObject({
  id: uuidText(),
  side: z.enum(['given', 'received']),
  /** The offered server; its paid runtime goes along. */
  host: z.strictObject({
    id: z.string(),
    name: z.string(),
    /** The name of the plan; null while the licence is free. */
    plan: z.nullable(translated()),
    paid_until: z.nullable(time()),
  }),
  /** The account that offers the server to you; null for your own offers. */
  account: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  /** The address that the server is offered to. */
  email: emailText(),
  created_at: time(),
  expires_at: time(),
})
named('HostTransfer', transfer)
export type Transfer = z.infer<typeof transfer>

const own = { who: 'customer', acts: 'own' } as const
const ofHost = z.strictObject({ hostId })
const params = z.strictObject({ transferId: uuid })

export const listTransfers = route({
  id: 'listTransfers',
  tag: 'Servers',
  method: 'GET',
  path: '/api/hosts/transfers/',
  access: own,
  summary: 'The open transfers of your servers, or to you',
  description:
    'What you offer (`side` given), or what is offered to an address that you have confirmed (`side` received); the newest first',
  query: z.strictObject({
    side: z._default(z.enum(['given', 'received']), 'given'),
    /** Limits the list to the offers of this server. */
    host_id: z.optional(hostId),
  }),
  replies: { 200: z.strictObject({ items: z.array(transfer) }) },
})

export const offerTransfer = route({
  id: 'offerTransfer',
  tag: 'Servers',
  method: 'POST',
  path: '/api/hosts/{hostId}/transfer/',
  access: { ...own, whileBlocked: 'refused' },
  summary: 'Offer a host to another account',
  description:
    'Offer a host, whose name must be typed, to an address by mail; open for 7 days. The answer does not tell whether the address has an account. Wants a recent proof',
  limits: ['host_transfer'],
  params: ofHost,
  headers: optionalIdempotencyKey,
  body: z.strictObject({ email: email(), name: requiredText(300) }),
  replies: { 201: transfer },
  errors: {
    400: ['own_address', 'name_mismatch'],
    403: ['reauthentication_required'],
    409: ['host_suspended', 'balance_below_zero', 'transfer_open'],
  },
})

export const withdrawTransfer = route({
  id: 'withdrawTransfer',
  tag: 'Servers',
  method: 'DELETE',
  path: '/api/hosts/{hostId}/transfer/',
  access: { ...own, whileBlocked: 'allowed' },
  summary: 'Withdraw the offer of a host',
  params: ofHost,
  replies: { 204: null },
})

export const acceptTransfer = route({
  id: 'acceptTransfer',
  tag: 'Servers',
  method: 'POST',
  path: '/api/hosts/transfers/{transferId}/acceptance/',
  access: { ...own, whileBlocked: 'refused' },
  summary: 'Accept a host that is offered to you',
  description:
    'Accept a host that is offered to an address that you have confirmed. It is yours at once, with its paid runtime. Its agent needs a new token, automatic renewal is off, and what its owner has bought and written stays with them',
  params,
  replies: { 200: host },
  errors: { 409: ['transfer_over', 'transfer_not_possible', 'too_many_hosts'] },
})

export const declineTransfer = route({
  id: 'declineTransfer',
  tag: 'Servers',
  method: 'POST',
  path: '/api/hosts/transfers/{transferId}/refusal/',
  access: { ...own, whileBlocked: 'allowed' },
  summary: 'Decline a host that is offered to you',
  params,
  replies: { 204: null },
  errors: { 409: ['transfer_over'] },
})

/** A host was offered to somebody, or an offer ended. */
export const TRANSFER_CHANGED = liveEvent('transfer.changed')
