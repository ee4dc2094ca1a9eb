import type { Alert } from '#features/hosts/alert-contract.ts'
import { formatDuration, formatPercent } from '#foundation/web/i18n/format.ts'
import { m } from '#texts/messages.js'
import { connectionTexts } from './status.tsx'

/** The state of a server by an alert, in the words of its state. */
export const alertText = ({ kind, peak, mount }: Pick<Alert, 'kind' | 'peak' | 'mount'>): string => {
  if (kind === 'offline') return connectionTexts.no()
  const percent = percentText(peak ?? 0)
  // Most servers have one disk, which needs no name.
  return mount === null || mount === '/'
    ? m.hosts_alert_disk({ percent })
    : m.hosts_alert_mount({ mount, percent })
}

/** Rounded down, as in mails: a disk that is not at its limit does not look as if it were. */
const percentText = (percent: number): string => formatPercent(BigInt(Math.floor(percent)))

/** A value of a rule: 0 is off. */
export const minutesText = (minutes: number): string =>
  minutes === 0 ? m.hosts_alerts_off() : formatDuration(minutes * 60)
export const limitText = (percent: number): string =>
  percent === 0 ? m.hosts_alerts_off() : percentText(percent)
