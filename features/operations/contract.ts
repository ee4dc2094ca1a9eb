import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { moment, opaqueText } from '#foundation/fields.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { actorKinds } from '#features/security/rules.ts'

/** What staff need to run the installation. */

const readAuditPermission = permission('audit.read', ['admin'])

const person = z.strictObject({
  id: uuidText(),
  /** Empty where the account was deleted. */
  name: z.string(),
})

const auditEntry = z.strictObject({
  id: z.string(),
  at: time(),
  act: z.string(),
  /** The account that it concerns. */
  person: z.nullable(person),
  /** Who acted; the person of `staff` and `self` is named. */
  actor: z.strictObject({ kind: z.enum(actorKinds), person: z.nullable(person) }),
  ip: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
})
named('AuditEntry', auditEntry)
export type AuditEntry = z.infer<typeof auditEntry>

export const listAudit = route({
  id: 'listAudit',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/audit/',
  access: staff(readAuditPermission),
  fromReplica: true,
  summary: 'Who did what, newest first',
  description:
    'Everything that was written to the audit, newest first. `person` is the account that an action concerns, by its id, or `q` by whatever finds a customer (at most 50 of them); `actor` is the account that acted, `act` the name of the action',
  query: z.strictObject({
    ...pageQuery,
    q: z.optional(opaqueText(200)),
    person: z.optional(z.uuid()),
    actor: z.optional(z.uuid()),
    act: z.optional(opaqueText(100)),
    /** From this time on. */
    from: z.optional(moment),
    /** Before this time. */
    to: z.optional(moment),
  }),
  replies: { 200: pageOf(auditEntry) },
})
