import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { count, named, time, uuidText } from '#foundation/printed.ts'
import { changeHosts, hostId, seeHosts } from './contract.ts'
import { alertKinds, DISK_PERCENT, OFFLINE_MINUTES } from './rules.ts'

/** Alerts: a server is silent, or a disk of it is nearly full (docs/decisions/177). */

const between = ({ least, most }: { least: number; most: number }) =>
  z.int().check(z.refine((value) => value === 0 || (value >= least && value <= most), { error: 'invalid' }))

/** The minutes without a check-in after which an alert opens; 0: never. */
const offlineMinutes = between(OFFLINE_MINUTES)
/** How full the fullest disk is for ten minutes before an alert opens, in percent; 0: never. */
const diskPercent = between(DISK_PERCENT)

/** The values of an account, which count for its servers that have none of their own. */
const alertSettings = z.strictObject({ offline_minutes: count(), disk_percent: count() })
named('AlertSettings', alertSettings)
export type AlertSettings = z.infer<typeof alertSettings>

export const alert = z.strictObject({
  id: uuidText(),
  /** `offline`: no check-in; `disk`: a disk is nearly full. */
  kind: z.enum(alertKinds),
  host: z.strictObject({ id: z.string(), name: z.string() }),
  /** The beginning of the trouble: the last check-in, or the first with a full disk. */
  since: time(),
  /** The time at which the rule found that it lasts. */
  opened_at: time(),
  /** Null while it is open. */
  closed_at: z.nullable(time()),
  /** How full the fullest disk was at most, in percent; null for `offline`. */
  peak: z.nullable(z.number()),
  /** The mount of that disk, such as `/var`; null for `offline`. */
  mount: z.nullable(z.string()),
})
named('Alert', alert)
export type Alert = z.infer<typeof alert>

export const listAlerts = route({
  id: 'listAlerts',
  tag: 'Servers',
  method: 'GET',
  path: '/api/alerts/',
  access: { who: 'customer', acts: seeHosts },
  viewable: true,
  summary: 'The servers that need attention now',
  description: 'The open alerts of all servers, the newest first: the first five, and how many there are',
  replies: { 200: z.strictObject({ items: z.array(alert), count: count() }) },
})

export const getAlertSettings = route({
  id: 'getAlertSettings',
  tag: 'Servers',
  method: 'GET',
  path: '/api/alerts/settings/',
  access: { who: 'customer', acts: seeHosts },
  viewable: true,
  summary: 'When alerts open, for all servers of the account',
  replies: { 200: alertSettings },
})

export const updateAlertSettings = route({
  id: 'updateAlertSettings',
  tag: 'Servers',
  method: 'PATCH',
  path: '/api/alerts/settings/',
  access: { who: 'customer', acts: changeHosts, whileBlocked: 'allowed' },
  summary: 'Change when alerts open, for all servers of the account',
  description: 'Only the named fields; 0 switches a rule off. A server may have values of its own',
  body: z.strictObject({
    offline_minutes: z.optional(offlineMinutes),
    disk_percent: z.optional(diskPercent),
  }),
  replies: { 200: alertSettings },
})

const params = z.strictObject({ hostId })

const alertsOfHost = z.strictObject({
  /** The values of this server; null for those of the account. */
  own: z.strictObject({ offline_minutes: z.nullable(count()), disk_percent: z.nullable(count()) }),
  account: alertSettings,
  /** The open ones, and those that closed within 30 days; the newest first. */
  items: z.array(alert),
})
named('AlertsOfHost', alertsOfHost)
export type AlertsOfHost = z.infer<typeof alertsOfHost>

export const getHostAlerts = route({
  id: 'getHostAlerts',
  tag: 'Servers',
  method: 'GET',
  path: '/api/hosts/{hostId}/alerts/',
  access: { who: 'customer', acts: seeHosts },
  viewable: true,
  summary: 'The alerts of a host, and when they open',
  params,
  replies: { 200: alertsOfHost },
})

export const updateHostAlerts = route({
  id: 'updateHostAlerts',
  tag: 'Servers',
  method: 'PATCH',
  path: '/api/hosts/{hostId}/alerts/',
  access: { who: 'customer', acts: changeHosts, whileBlocked: 'allowed' },
  summary: 'Change when alerts of a host open',
  description: 'Only the named fields; 0 switches a rule off, null takes the value of the account',
  params,
  body: z.strictObject({
    offline_minutes: z.optional(z.nullable(offlineMinutes)),
    disk_percent: z.optional(z.nullable(diskPercent)),
  }),
  replies: { 200: alertsOfHost },
})
