import * as z from 'zod/mini'
import { actorKinds } from '#foundation/actor-kinds.ts'
import { route } from '#foundation/contract.ts'
import { moment, opaqueText } from '#foundation/fields.ts'
import { byTime, pageOf, pageQuery } from '#foundation/paging.ts'
import { bigCount, count, day, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { money } from '#foundation/money.ts'
import { limitNames } from '#features/invoices/rules.ts'
import { readAuditPermission } from '#foundation/audit.ts'
import { permission, staff } from '#foundation/roles.ts'

/** The calls of staff who run the installation. */

const isIp = (text: string) => z.safeParse(z.ipv4(), text).success || z.safeParse(z.ipv6(), text).success
const ipText = opaqueText(45).check(z.refine(isIp, { error: 'invalid' }))

const person = z.strictObject({
  id: uuidText(),
  /** Empty where the account was deleted. */
  name: z.string(),
})

const auditEntry = z.strictObject({
  id: z.string(),
  at: time(),
  act: z.string(),
  /** The account that the entry concerns. */
  person: z.nullable(person),
  /** The actor; `person` is null for the kinds `cli`, `system` and `stranger`. */
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
  summary: 'Who did what',
  description:
    'Everything that was written to the audit. `person` is the account that an action concerns, by its id, or `q` by whatever finds a customer (at most 50 of them); `actor` is the account that acted, `act` the name of the action, `ip` the address that it came from, which is known for 400 days',
  query: z.strictObject({
    ...pageQuery,
    q: z.optional(opaqueText(200)),
    person: z.optional(z.uuid()),
    actor: z.optional(z.uuid()),
    act: z.optional(opaqueText(100)),
    ip: z.optional(ipText),
    /** The beginning: from this time on. */
    from: z.optional(moment),
    /** The end: before this time. */
    to: z.optional(moment),
    sort: byTime,
  }),
  replies: { 200: pageOf(auditEntry) },
})

const readSystemPermission = permission('system.read', ['admin'])
const retryPermission = permission('system.retry', ['admin'])

/** The names of the warnings to an operator; the page holds their texts. */
export const warnings = [
  'no_worker',
  'queue_late',
  'jobs_failed',
  'mails_dead',
  'mails_waiting',
  'backup_missing',
  'backup_late',
  'disk_low',
  'rates_missing',
  'limit_near',
  'limit_passed',
  'no_plan',
] as const

/** The things that an installation needs before it sells, in the order in which it is done; the page holds their texts. */
export const setupNames = [
  'seller',
  'vat',
  'payment',
  'plan',
  'mail',
  'backup',
  'second_factor',
  'second_member',
  'first_sale',
] as const

const setupItem = z.strictObject({
  name: z.enum(setupNames),
  /** `waived`: staff said that this installation does without. */
  state: z.enum(['done', 'open', 'waived']),
})
named('SetupItem', setupItem)

const hold = z.strictObject({
  id: count(),
  first_day: day(),
  last_day: day(),
  reason: z.string(),
  begun_at: time(),
})
named('AuditHold', hold)

const limit = z.strictObject({ name: z.enum(limitNames), sum: money, limit: money })
named('SellerLimit', limit)

export const readSystem = route({
  id: 'readSystem',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/system/',
  access: staff(readSystemPermission),
  summary: 'The state of the installation',
  description:
    'Versions, the queue of jobs by kind, mails, storage, the last backup and what to look at. `streams` are those of the process that answers',
  replies: {
    200: z.strictObject({
      version: z.string(),
      node: z.string(),
      database: z.string(),
      /** The newest migration that ran; `baseline` until there is one. */
      schema: z.string(),
      /** The number of processes that run jobs. */
      processes: count(),
      queue: z.array(
        z.strictObject({
          name: z.string(),
          waiting: count(),
          running: count(),
          /** Jobs that were given up after all attempts. */
          failed: count(),
          /** The seconds for which the oldest job has been due. */
          oldest_s: count(),
        }),
      ),
      mails: z.strictObject({ owed: count(), dead: count() }),
      /** Bytes of the disk of DATA_DIR. */
      disk: z.strictObject({ free_bytes: bigCount(), total_bytes: bigCount() }),
      /** Bytes of uploaded files. */
      stored_bytes: bigCount(),
      last_backup_at: z.nullable(time()),
      streams: count(),
      warnings: z.array(z.enum(warnings)),
      /** The set-up list; empty in a demo. */
      setup: z.array(setupItem),
      /** The limits of this year on the seller's turnover on which the VAT depends: net sums of documents. */
      limits: z.array(limit),
      /** Periods of which nothing is erased, because an audit goes on; days in the operator's time zone. */
      holds: z.array(hold),
      /** The warnings about settings at start, in English. */
      settings: z.array(z.string()),
      /** The lines of `settings` about what customers lack. */
      missing: z.array(z.string()),
    }),
  },
})
named('System', readSystem.replies[200])
export type System = z.infer<(typeof readSystem)['replies'][200]>

const failedJob = z.strictObject({
  id: z.string(),
  name: z.string(),
  attempts: count(),
  last_error: z.string(),
})
named('FailedJob', failedJob)

export const listFailedJobs = route({
  id: 'listFailedJobs',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/system/jobs/failed/',
  access: staff(readSystemPermission),
  summary: 'Jobs that used up their attempts',
  description: 'Jobs that used up their attempts, the newest 100',
  replies: { 200: z.strictObject({ items: z.array(failedJob) }) },
})

const jobParams = z.strictObject({ jobId: z.string().check(z.regex(/^\d{1,18}$/)) })

export const retryJob = route({
  id: 'retryJob',
  tag: 'Staff operations',
  method: 'POST',
  path: '/api/staff/system/jobs/{jobId}/retry/',
  access: staff(retryPermission, 'none'),
  summary: 'Run a failed job again',
  params: jobParams,
  replies: { 204: null },
})

export const dropJob = route({
  id: 'dropJob',
  tag: 'Staff operations',
  method: 'DELETE',
  path: '/api/staff/system/jobs/{jobId}/',
  access: staff(retryPermission, 'none'),
  summary: 'Delete a failed job',
  description: 'Delete a failed job: what it had to do is not done',
  params: jobParams,
  replies: { 204: null },
})

const deadMail = z.strictObject({
  id: uuidText(),
  to: emailText(),
  /** The name of the mail template. */
  template: z.string(),
  attempts: count(),
  last_error: z.string(),
  created_at: time(),
})
named('DeadMail', deadMail)

export const listDeadMails = route({
  id: 'listDeadMails',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/system/mails/',
  access: staff(readSystemPermission),
  summary: 'Mails that were given up',
  description:
    'Mails that were given up, the newest 100. Their texts are never shown, because they hold links',
  query: z.strictObject({ state: z._default(z.enum(['dead']), 'dead') }),
  replies: { 200: z.strictObject({ items: z.array(deadMail) }) },
})

export const retryDeadMail = route({
  id: 'retryDeadMail',
  tag: 'Staff operations',
  method: 'POST',
  path: '/api/staff/system/mails/{mailId}/retry/',
  access: staff(retryPermission, 'none'),
  summary: 'Send a mail again that was given up',
  params: z.strictObject({ mailId: z.uuid() }),
  replies: { 204: null },
  errors: { 409: ['mail_suspended'] },
})

export const waiveSetup = route({
  id: 'waiveSetup',
  tag: 'Staff operations',
  method: 'POST',
  path: '/api/staff/system/setup/{name}/',
  access: staff(retryPermission, 'none'),
  summary: 'Say whether this installation does without something',
  description:
    'Say whether this installation does without something that the list of things to set up names: it counts as open no more',
  params: z.strictObject({ name: z.enum(setupNames) }),
  body: z.strictObject({ waived: z.boolean() }),
  replies: { 204: null },
})

const todayPermission = permission('today.read', ['support', 'billing', 'admin'])

export const readToday = route({
  id: 'readToday',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/today/',
  access: staff(todayPermission),
  summary: 'What waits for staff, and how the month goes',
  description:
    'What waits for staff, and how the month goes. A figure is null for a member who may not read the list that it counts',
  replies: {
    200: z.strictObject({
      /**
       * The tickets that nobody has taken yet, and how many of them have waited for longer than a day; up to 1,000. `overdue` counts all whose
       * answer was expected before now, `poor` the poor ratings of a week; up to 100.
       */
      tickets: z.nullable(
        z.strictObject({ incoming: count(), late: count(), overdue: count(), poor: count() }),
      ),
      /** The mails that wait for a decision; absent where none does. */
      held_mails: z.optional(count()),
      /** The bank transfers that customers have announced. */
      transfers: z.nullable(count()),
      /** The payouts that wait for staff; absent where none does. */
      payouts: z.optional(count()),
      /** The approvals that wait for you, and refunds after withdrawals for you to book. */
      approvals: z.nullable(count()),
      /** The servers that are offline, and how many of them went offline within a day. */
      servers: z.nullable(z.strictObject({ offline: count(), since_today: count() })),
      /** The present month, in the operator’s time zone, such as `2026-11`. */
      month: z.string(),
      /** Invoices less credit notes of the month, without VAT. */
      income: z.nullable(money),
    }),
  },
})
named('Today', readToday.replies[200])
export type Today = z.infer<(typeof readToday.replies)[200]>
