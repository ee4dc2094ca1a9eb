/** The maximum number of endpoints of one account, and of the operator. */
export const MOST_ENDPOINTS = 10

/** The maximum number of attempts that are kept of an endpoint. */
export const MOST_ATTEMPTS = 50

/** The maximum number of kinds and of servers that an endpoint names. */
export const MOST_TYPES = 100
export const MOST_SERVERS = 500

/** For how long the former secret of an endpoint signs too. */
export const OLD_SECRET_H = 24

export const endpointStates = ['enabled', 'paused', 'disabled'] as const
export type EndpointState = (typeof endpointStates)[number]

/** The reasons why the product disabled an endpoint: it answered 410, or nothing succeeded for three days. */
export const disabledReasons = ['gone', 'failing'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** The number of lanes by which an endpoint of the operator gets events of several customers at once. */
export const OPERATOR_LANES = 8

/** The most deliveries at once for one account, and for the operator, of the 64 that a process has places for. */
export const MOST_AT_ONCE = 5
export const MOST_OF_OPERATOR_AT_ONCE = 32

const [SECOND, MINUTE, HOUR] = [1, 60, 3600]

/** The pauses after the first failures of an event, in seconds; each further one is the last. */
const PAUSES_s = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR]

/** The seconds until the same event is sent again, after this many failures. */
export const pauseAfter_s = (failures: number): number => PAUSES_s[failures - 1] ?? 4 * HOUR

/** An event that failed so often, over so long, lets the others go on. */
const SKIP_FAILURES = 20
const SKIP_AFTER_h = 6

/** The hours without a success after which the owner is mailed, and after which the endpoint is disabled. */
export const WARN_AFTER_h = 24
export const DISABLE_AFTER_h = 72

/** True if an event that failed since `hours` gives way to others that wait behind it. */
export const givesWay = (failures: number, hours: number): boolean =>
  failures >= SKIP_FAILURES && hours > SKIP_AFTER_h

/** True for an answer that means that the event has arrived. A redirect is none. */
export const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300

/** The answer by which an endpoint says that it wants nothing more. */
export const GONE = 410
