import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { opaqueText, requiredText } from '#foundation/fields.ts'
import { optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { named, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { deskPermission, priority, tag, topic } from '#features/support/tickets/shapes.ts'
import { deskTabs, lengths } from './rules.ts'

/** Views: filters of the staff's list of tickets that were given a name. */

/** The fields of the filter of the list, without the place in it. */
export const filterFields = {
  /**
   * Spam is in no other tab, and without a tab it is left out. Tickets that sleep are in a tab of their own, and in no other tab of open
   * ones.
   */
  tab: z.optional(z.enum(deskTabs)),
  topic: z.optional(topic),
  priority: z.optional(priority),
  assignee: z.optional(z.union([z.literal('me'), z.literal('none'), z.uuid()])),
  customer: z.optional(z.uuid()),
  tag: z.optional(tag),
  /** The tickets whose answer was expected before now. */
  late: z.optional(z.enum(['yes'])),
  q: z.optional(opaqueText(200)),
}

const filter = z.strictObject(filterFields)
export type ViewFilter = z.infer<typeof filter>

const view = z.strictObject({
  id: uuidText(),
  name: z.string(),
  /** True for a view of all staff, which each of them may change; others are seen by their author alone. */
  shared: z.boolean(),
  /** `me` is whoever looks. A tag or a person in it may be gone by now: then it finds nothing, and stays as it was saved. */
  filter,
  version,
})
named('DeskView', view)
export type DeskView = z.infer<typeof view>

const fields = { name: requiredText(lengths.view), shared: z.boolean({ error: 'invalid' }), filter }
const params = z.strictObject({ ticketViewId: z.uuid() })

export const listViews = route({
  id: 'listViews',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/ticket-views/',
  access: staff(deskPermission),
  summary: 'Your views of the list of tickets, and those of all staff',
  description: 'Your views of the list of tickets and those of all staff, by name: 30 each at most',
  replies: { 200: z.strictObject({ items: z.array(view) }) },
})

export const createView = route({
  id: 'createView',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/ticket-views/',
  access: staff(deskPermission, 'none'),
  summary: 'Save a filter of the list of tickets as a view',
  headers: optionalIdempotencyKey,
  body: z.strictObject(fields),
  replies: { 201: view },
  errors: { 400: ['unknown_topic', 'unknown_priority'], 409: ['too_many_ticket_views'] },
})

export const updateView = route({
  id: 'updateView',
  tag: 'Staff tickets',
  method: 'PATCH',
  path: '/api/staff/ticket-views/{ticketViewId}/',
  access: staff(deskPermission, 'none'),
  summary: 'Change the named fields of a view',
  params,
  body: z.strictObject({
    name: z.optional(fields.name),
    /** A view that is no longer for all staff belongs to the caller. */
    shared: z.optional(fields.shared),
    filter: z.optional(filter),
    /** The version that the caller edited. If it has changed since, nothing changes, and the 409 returns the present view. */
    version,
  }),
  replies: { 200: view, 409: changedReply(view) },
  errors: { 400: ['unknown_topic', 'unknown_priority'], 409: ['changed', 'too_many_ticket_views'] },
})

export const deleteView = route({
  id: 'deleteView',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/ticket-views/{ticketViewId}/',
  access: staff(deskPermission, 'none'),
  summary: 'Delete a view',
  params,
  replies: { 204: null },
})

/** The live event that views have changed: for all staff where it is theirs, else for its author. */
export const VIEWS = liveEvent('desk_views')
