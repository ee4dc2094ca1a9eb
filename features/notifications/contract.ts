import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { text } from '#foundation/fields.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { bigCount, count, named, time, urlText } from '#foundation/printed.ts'
import { kinds } from './rules.ts'

/** The bell: what happened that concerns a person, and which of it they want to be told. */

/** Something happened, or was read, on whatever device. */
export const NOTIFICATIONS_CHANGED = liveEvent('notifications.changed')

const kind = z.enum(kinds, { error: 'invalid' })

const notification = z.strictObject({
  id: bigCount(),
  kind,
  /** How often it happened to the thing since its reader last looked. */
  count: count(),
  /** The page that shows the thing. */
  link: urlText(),
  /** The values of its sentence: the number of a ticket, the name of a server. */
  facts: z.record(z.string(), z.string()),
  /** The subject of a ticket as it is now; null for other things, and for a ticket of somebody else. */
  subject: z.nullable(z.string()),
  happened_at: time(),
  is_read: z.boolean(),
})
named('Notification', notification)
export type Notification = z.infer<typeof notification>

const unread = z.strictObject({
  count: count(),
  /** The pages of what is unread, the newest first. */
  links: z.array(urlText()),
})
named('UnreadNotifications', unread)
export type Unread = z.infer<typeof unread>

const choice = z.strictObject({ kind, bell: z.boolean(), push: z.boolean() })
const choices = z.strictObject({ items: z.array(choice) })
named('NotificationChoices', choices)
export type Choice = z.infer<typeof choice>

/** The browser's side of a subscription (Push API): where the push service takes messages, and the keys that seal them. */
const newSubscription = z.strictObject({
  endpoint: text(1000),
  keys: z.strictObject({
    p256dh: z.string().check(z.regex(/^[\w-]{87}=?$/, 'invalid')),
    auth: z.string().check(z.regex(/^[\w-]{22}={0,2}$/, 'invalid')),
  }),
})
const push = z.strictObject({
  /** The key by which push services know this installation (VAPID), base64url. */
  public_key: z.string(),
  /** The subscriptions of the caller's browsers, by their endpoints. */
  endpoints: z.array(urlText()),
})
named('PushSubscriptions', push)
export type Push = z.infer<typeof push>

const own = { who: 'customer', acts: 'own' } as const
const ownWrite = { ...own, whileBlocked: 'allowed' } as const

export const listNotifications = route({
  id: 'listNotifications',
  tag: 'Profile',
  method: 'GET',
  path: '/api/notifications/',
  access: { ...own, orMember: true },
  summary: 'What happened that concerns you',
  description:
    'The newest first. News of one kind about one thing is one item until it is read; it is kept for 90 days',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(notification) },
})

export const getUnread = route({
  id: 'getUnread',
  tag: 'Profile',
  method: 'GET',
  path: '/api/notifications/unread/',
  access: own,
  summary: 'How much of it you have not read',
  replies: { 200: unread },
})

export const readNotifications = route({
  id: 'readNotifications',
  tag: 'Profile',
  method: 'POST',
  path: '/api/notifications/read/',
  access: ownWrite,
  summary: 'Mark what happened as read',
  description: 'With a link only what leads to that page; without one all',
  body: z.strictObject({ link: z.optional(text(300)) }),
  replies: { 200: unread },
})

export const getNotificationChoices = route({
  id: 'getNotificationChoices',
  tag: 'Profile',
  method: 'GET',
  path: '/api/notifications/choices/',
  access: own,
  summary: 'What the bell and your browsers tell you, by kind',
  replies: { 200: choices },
})

export const changeNotificationChoice = route({
  id: 'changeNotificationChoice',
  tag: 'Profile',
  method: 'PATCH',
  path: '/api/notifications/choices/',
  access: ownWrite,
  summary: 'Choose what the bell and your browsers tell you',
  description: 'One kind at a time; what is left out stays',
  body: z.strictObject({ kind, bell: z.optional(z.boolean()), push: z.optional(z.boolean()) }),
  replies: { 200: choices },
})

export const getPush = route({
  id: 'getPush',
  tag: 'Profile',
  method: 'GET',
  path: '/api/notifications/push/',
  access: own,
  summary: 'The key for notifications of browsers, and your browsers',
  replies: { 200: push },
})

export const subscribePush = route({
  id: 'subscribePush',
  tag: 'Profile',
  method: 'POST',
  path: '/api/notifications/push/',
  access: ownWrite,
  summary: 'Let a browser show notifications',
  description:
    'Until the session ends that makes this call, or the browser unsubscribes. At most 20 browsers: the oldest goes',
  body: newSubscription,
  replies: { 200: push },
  errors: { 400: ['invalid_url', 'https_required', 'address_not_allowed'] },
})

export const unsubscribePush = route({
  id: 'unsubscribePush',
  tag: 'Profile',
  method: 'POST',
  path: '/api/notifications/push/end/',
  access: ownWrite,
  summary: 'Let a browser show no notifications any more',
  body: z.strictObject({ endpoint: text(1000) }),
  replies: { 200: push },
})
