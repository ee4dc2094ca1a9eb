import * as z from 'zod/mini'
import { text, translated } from '#foundation/fields.ts'
import { route } from '#foundation/contract.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { named, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { readCustomersPermission } from '#features/support/desk/contract.ts'
import { hostSorts, hostStates } from './rules.ts'
import { customerHost } from './shapes.ts'

/** The servers of all customers, for staff. */

/** The filters of the list of all servers. */
export const hostFilter = {
  state: z.optional(z.enum(hostStates)),
  plan: z.optional(text(64)),
  /** The country of the owner, ISO 3166-1. */
  country: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/))),
}

const staffHost = z.strictObject({
  host: customerHost,
  /** The name of the plan; null while the licence is free. */
  plan: z.nullable(translated()),
  /** The address from which the agent checks in, if it is not the licensed one. */
  wrong_address: z.nullable(z.string()),
  customer: z.strictObject({ id: uuidText(), name: z.string() }),
})
named('StaffHost', staffHost)
export type StaffHost = z.infer<typeof staffHost>

export const listStaffHosts = route({
  id: 'listStaffHosts',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/hosts/',
  access: staff(readCustomersPermission),
  fromReplica: true,
  summary: 'The servers of all customers, filtered',
  description:
    'The newest first; by `ends_soon` (within 14 days) the next end first, unless `sort` is given. By `ends_first` and `ends_last` free servers come last. `alert`: an alert of its owner is open; `offline`: the agent is silent; `wrong_machine`: it checks in from another address',
  query: z.strictObject({ ...pageQuery, ...hostFilter, sort: z.optional(z.enum(hostSorts)) }),
  replies: { 200: pageOf(staffHost) },
})
