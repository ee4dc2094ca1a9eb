import * as z from 'zod/mini'
import { event, liveEvent, route } from '#foundation/contract.ts'
import { locales } from '#foundation/locale.ts'
import { waitingReply } from '#foundation/approvals.ts'
import { moment, multilineText, opaqueText, text, translated } from '#foundation/fields.ts'
import { idempotencyKey, optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { count, ipv4Text, named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { hostStates, states } from '#features/customers/rules.ts'
import { ipv4 } from '#features/hosts/contract.ts'
import { kinds, MOST_HOSTS, MOST_PLANS, statuses, TEXT_LENGTH, TITLE_LENGTH } from './rules.ts'

/** Maintenance, incidents and news for customers, written by staff in three languages. */

export const publishPermission = permission('announcements.publish', ['support', 'admin'])

const servers = z.strictObject({
  state: z.optional(z.enum(hostStates)),
  plan: z.optional(text(64)),
  country: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/))),
})
named('ServerFilter', servers)
const customers = z.strictObject({
  q: z.optional(opaqueText(200)),
  state: z.optional(z.enum(states)),
  debt: z.optional(z.enum(['yes'])),
})
named('CustomerFilter', customers)
/** Filters of the lists of all servers and of customers: the readers are those whom they find at the publication. */
const filters = { servers: z.optional(servers), customers: z.optional(customers) }

/** The readers of an announcement: exactly one of these fields is set, and `language` where only those read it who chose it. */
const shownScope = z.strictObject({
  all: z.optional(z.literal(true)),
  /** The plans by their slugs. */
  plans: z.optional(z.array(z.string())),
  /** The servers by their IPv4 addresses. */
  hosts: z.optional(z.array(ipv4Text())),
  ...filters,
  language: z.optional(z.enum(locales)),
})

const announcement = z.strictObject({
  id: uuidText(),
  kind: z.enum(kinds),
  title: translated(),
  text: translated(),
  starts_at: z.nullable(time()),
  ends_at: z.nullable(time()),
  scope: shownScope,
  /** True if the next revision is mailed to the readers. */
  mail: z.boolean(),
  status: z.enum(statuses),
  /** How often it was published. */
  revision: count(),
  /** True if the content differs from the revision that customers read. */
  has_changes: z.boolean(),
  /** The member of staff who wrote it first; null if the command line wrote it, or if the member was deleted. */
  by: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  created_at: time(),
  published_at: z.nullable(time()),
  ended_at: z.nullable(time()),
  version,
})
named('Announcement', announcement)
export type Announcement = z.infer<typeof announcement>

const words = (field: () => z.ZodMiniType<string, string>) =>
  z.strictObject({ en: z.optional(field()), de: z.optional(field()), ru: z.optional(field()) })
const titles = words(() => text(TITLE_LENGTH))
named('AnnouncementTitle', titles)
const texts = words(() => multilineText(TEXT_LENGTH))
named('AnnouncementText', texts)
const wantedScope = z.strictObject({
  all: z.optional(z.literal(true)),
  plans: z.optional(z.array(text(64)).check(z.minLength(1), z.maxLength(MOST_PLANS))),
  hosts: z.optional(z.array(ipv4).check(z.minLength(1), z.maxLength(MOST_HOSTS))),
  ...filters,
  language: z.optional(z.enum(locales, { error: 'invalid' })),
})
named('AnnouncementScope', wantedScope)
const fields = {
  title: z.optional(titles),
  text: z.optional(texts),
  starts_at: z.optional(z.nullable(moment)),
  ends_at: z.optional(z.nullable(moment)),
  scope: z.optional(wantedScope),
  mail: z.optional(z.boolean()),
} as const

export const listAnnouncements = route({
  id: 'listAnnouncements',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/announcements/',
  access: staff(publishPermission),
  summary: 'All announcements, newest first',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(announcement) },
})

/** The content of a new announcement, as a call or a command gives it. */
export const newAnnouncement = z.strictObject({ kind: z.enum(kinds, { error: 'invalid' }), ...fields })

export const createAnnouncement = route({
  id: 'createAnnouncement',
  tag: 'Staff operations',
  method: 'POST',
  path: '/api/staff/announcements/',
  access: staff(publishPermission, 'none'),
  summary: 'Write an announcement',
  description:
    'Write an announcement; nobody reads it before it is published. `scope` has one field, and `language` if it is for one language; left out it is all customers. News is mailed to those who asked for it',
  headers: optionalIdempotencyKey,
  body: newAnnouncement,
  replies: { 201: announcement },
  errors: { 400: ['invalid_ipv4', 'iban_in_filter'] },
})

const params = z.strictObject({ announcementId: z.uuid() })

export const updateAnnouncement = route({
  id: 'updateAnnouncement',
  tag: 'Staff operations',
  method: 'PATCH',
  path: '/api/staff/announcements/{announcementId}/',
  access: staff(publishPermission, 'none'),
  summary: 'Change an announcement',
  description:
    'Change an announcement. Customers go on reading the revision that was published last until the next one is',
  params,
  body: z.strictObject({ kind: z.optional(z.enum(kinds, { error: 'invalid' })), ...fields, version }),
  replies: { 200: announcement, 409: changedReply(announcement) },
  errors: { 400: ['invalid_ipv4', 'iban_in_filter'], 409: ['changed', 'announcement_over'] },
})

export const countRecipients = route({
  id: 'countRecipients',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/announcements/{announcementId}/recipients/',
  access: staff(publishPermission),
  summary: 'How many customers an announcement would reach now',
  params,
  replies: {
    200: z.strictObject({
      customers: count(),
      /** The number of people who would get a mail. */
      mails: count(),
      /** True if a second member of staff has to confirm the publication. */
      needs_approval: z.boolean(),
    }),
  },
})
named('AnnouncementRecipients', countRecipients.replies[200])

export const publishAnnouncement = route({
  id: 'publishAnnouncement',
  tag: 'Staff operations',
  method: 'POST',
  path: '/api/staff/announcements/{announcementId}/publication/',
  access: staff(publishPermission, 'none'),
  summary: 'Publish an announcement, or its next revision',
  description:
    'Publish an announcement as it is in this `version`, in all three languages. A mail to more than 100 customers needs a second member of staff (202)',
  params,
  headers: idempotencyKey,
  body: z.strictObject({ version }),
  replies: { 200: announcement, 202: waitingReply },
  errors: {
    400: ['iban_in_filter'],
    404: ['not_found'],
    409: ['changed', 'announcement_over', 'already_published', 'already_proposed'],
    422: ['idempotency_key_reused'],
  },
})

export const resolveAnnouncement = route({
  id: 'resolveAnnouncement',
  tag: 'Staff operations',
  method: 'POST',
  path: '/api/staff/announcements/{announcementId}/resolution/',
  access: staff(publishPermission, 'none'),
  summary: 'Resolve an incident, or withdraw another announcement',
  description:
    'Resolve an incident, whose readers see it as resolved for a day, with the text where there is one; or withdraw another announcement, or a draft',
  params,
  body: z.strictObject({ text: z.optional(texts) }),
  replies: { 200: announcement },
  errors: { 409: ['announcement_over'] },
})

const notice = z.strictObject({
  id: uuidText(),
  revision: count(),
  kind: z.enum(kinds),
  title: translated(),
  text: translated(),
  starts_at: z.nullable(time()),
  ends_at: z.nullable(time()),
  published_at: time(),
  /** The time when staff resolved the incident; null for all other announcements. */
  resolved_at: z.nullable(time()),
  /** The text that staff wrote when they resolved the incident. */
  resolution: z.nullable(translated()),
})
named('Notice', notice)
export type Notice = z.infer<typeof notice>

const notices = z.strictObject({ items: z.array(notice) })
named('Notices', notices)

export const listNotices = route({
  id: 'listNotices',
  tag: 'Announcements',
  method: 'GET',
  path: '/api/announcements/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'What concerns the caller now',
  description:
    'Announcements that concern the caller now, incidents first: maintenance until its end, incidents until a day after they are resolved, news until their end or for two weeks',
  replies: { 200: notices },
})

export const listPublicNotices = route({
  id: 'listPublicNotices',
  tag: 'Announcements',
  method: 'GET',
  path: '/api/announcements/public/',
  access: { who: 'anyone' },
  viewable: true,
  summary: 'Incidents that concern everybody now',
  description: 'Incidents that concern all customers and are not resolved, for pages before the sign-in',
  replies: { 200: notices },
})

/** A published announcement is told to some of its readers, a thousand in a transaction. */
export const announcementDelivered = event<{ announcement_id: string; user_ids: readonly string[] }>(
  'announcements.delivered',
)

/** An announcement was published, changed or ended: pages that show announcements fetch them again. */
export const ANNOUNCEMENT_CHANGED = liveEvent('announcement.changed')

export const downloadNewsReaders = route({
  id: 'downloadNewsReaders',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/announcements/news-readers.csv',
  access: staff(publishPermission),
  summary: 'Customers who asked for news by mail, as CSV',
  description:
    'Customers who asked for news by mail, with their languages (text/csv, UTF-8). Each download stands in the audit',
  query: z.strictObject({ language: z.optional(z.enum(locales, { error: 'invalid' })) }),
  responseType: 'text/csv',
  replies: { 200: null },
})
