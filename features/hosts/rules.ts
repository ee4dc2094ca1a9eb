/** True for a dotted quad as people write it: no leading zeros, no hexadecimal, no short and no CIDR forms (row V-04). */
export const isIpv4 = (text: string): boolean => dottedQuad.test(text)
const dottedQuad = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** The maximum length of a name, in code points. */
export const NAME_LENGTH = 63

/**
 * True for visible characters that do not change how the rest of the line is shown. The attack is a name that turns the
 * writing direction and so shows another host's name in the dialog that deletes it.
 */
export const isPrintable = (text: string): boolean => !/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u.test(text)

/** The addresses of a host in one line; empty if it has none. */
export const addressText = ({ ipv4, ipv6 }: { ipv4: string | null; ipv6: string | null }): string =>
  [ipv4, ipv6].filter((address) => address !== null).join(' · ')

/** A licence's state follows from the time it is paid until, so it is never stored (row H-01). */
export type LicenceStatus = 'free' | 'active' | 'expired'

export function licenceStatus(paid_until: Date | null, now: Date): LicenceStatus {
  if (paid_until === null) return 'free'
  return now < paid_until ? 'active' : 'expired'
}

/** The reasons why a host may not run. A suspension is not a status, for the paid time runs on (decision 096). */
export const suspensionReasons = ['charge_back', 'debt', 'abuse', 'other'] as const
export type SuspensionReason = (typeof suspensionReasons)[number]

/** Whole seconds that are still paid; 0 if none. */
export const remainingSeconds = (paid_until: Date | null, now: Date): number =>
  Math.max(0, Math.floor(((paid_until?.getTime() ?? 0) - now.getTime()) / 1000))

type Span = { starts_at: string; plan: string }

/**
 * Returns the paid period that runs at a time, or else the last one before it; undefined if there is none. All code finds the
 * plan of a host in this way (decision 031). `periods` are in the order of time, as the database returns them.
 */
export const licenceAt = <Period extends Span>(periods: readonly Period[], at: Date): Period | undefined =>
  periods.findLast(({ starts_at }) => Date.parse(starts_at) <= at.getTime())

/** The first later period with another plan than the present one; undefined if there is none. */
export function nextPlan<Period extends Span>(periods: readonly Period[], now: Date): Period | undefined {
  const present = licenceAt(periods, now)
  return (
    present &&
    periods.find(({ starts_at, plan }) => Date.parse(starts_at) > now.getTime() && plan !== present.plan)
  )
}

/** True for the period of a trial (decision 112). */
export const isTrial = (period: { is_trial: boolean } | undefined): boolean => period?.is_trial ?? false

/** The plan that the automatic renewal buys: the plan chosen for the end of the paid time, or else the plan of the last period. */
export const planAtEnd = <Plan>({
  renewal,
  periods,
}: {
  renewal: Plan | null
  periods: readonly Plan[]
}): Plan | undefined => renewal ?? periods.at(-1)

/** The interval of an agent's check-ins while somebody looks at its host, or its state is in doubt; and the least and the most at other times. */
export const INTERVAL_S = 30
const RESTING_INTERVAL_S = { least: 60, most: 300 } as const
/** A host counts as connected until so many of the intervals that its agent was told have passed without a check-in. */
export const INTERVALS_UNTIL_OFFLINE = 2

// A tenth of the check-ins that a process takes (npm run bench -- check-ins).
const CHECK_INS_A_SECOND = 100

/** The interval for the agents of so many servers that come to one process: the more there are, the longer it is. */
export const restingInterval_s = (servers: number): number =>
  Math.min(
    Math.max(Math.ceil(servers / CHECK_INS_A_SECOND), RESTING_INTERVAL_S.least),
    RESTING_INTERVAL_S.most,
  )

/** The number of free address changes in `IPV4_CHANGES_DAYS` while a licence is paid; further changes need the help of staff. */
export const FREE_IPV4_CHANGES = 3
export const IPV4_CHANGES_DAYS = 30

/** The hours for which a renewed licence key is still answered, so that somebody can give software the new one. */
export const FORMER_KEY_HOURS = 24
/** The most servers whose keys are renewed by one call. */
export const MOST_KEYS = 200

/** The maximum length of the reason for which staff grant more than a limit. */
export const HELP_NOTE_LENGTH = 200

/** A host of a program has no address and no agent; of a server, `product` may be left out. */
export const isProgram = ({ product }: { product?: { kind: string } | null | undefined }): boolean =>
  product?.kind === 'program'

type Considered = {
  ipv4: string | null
  ipv6: string | null
  ipv4_changes_left: number | null
  licence: { status: LicenceStatus }
  product?: { kind: string } | null | undefined
}

/** Actions that a host's state allows: disables buttons and guards the server. Renaming and deleting are always allowed. */
export const hostCan = {
  changeAddresses: ({ ipv4_changes_left }: Considered): boolean => ipv4_changes_left !== 0,
  /** A host with a paid licence keeps at least one address, IPv4 or IPv6. */
  loseAddresses: ({ licence }: Considered): boolean => licence.status !== 'active',
  /** A licence is ordered for an IPv4 (row V-04); a host that has a licence may have replaced its IPv4 by an IPv6. A program needs none. */
  renew: ({ ipv4, ipv6, licence, product }: Considered): boolean =>
    isProgram({ product }) || ipv4 !== null || (ipv6 !== null && licence.status !== 'free'),
}

/** The seconds that one point of a chart covers, so that no series has more than 300 points. */
export const metricsStep_s = (hours: number): number => 60 * Math.ceil((hours * 60) / 300)

/** The troubles that staff look for among all hosts: an open alert, a silent agent, a paid time that ends soon, an agent on another address than the licensed one. */
export const hostTroubles = ['alert', 'offline', 'ends_soon', 'wrong_machine'] as const
export type HostTrouble = (typeof hostTroubles)[number]
export const ENDS_SOON_DAYS = 14

/** The rules that watch a server: a silent agent, and a disk that is nearly full (docs/decisions/177). */
export const alertKinds = ['offline', 'disk'] as const
export type AlertKind = (typeof alertKinds)[number]

/** The values of a rule besides 0, which is off, and the ones that count where nothing was chosen. */
export const OFFLINE_MINUTES = { least: 2, most: 1440, usual: 5 }
export const DISK_PERCENT = { least: 50, most: 99, usual: 90 }
/** A disk is full for this long before an alert opens. */
export const DISK_MINUTES = 10
