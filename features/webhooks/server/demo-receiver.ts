import type { App } from '#foundation/server/app.ts'
import type { Outcome } from '#foundation/server/egress/egress.ts'

/** A message that the receiver of the demo got. */
export type Received = {
  at: Date
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  status: number
}

const MOST_KEPT = 100
const STATUSES: Readonly<Record<string, number>> = { '/broken': 500, '/gone': 410 }
const kept = new WeakMap<App['db'], Received[]>()

export const receivedBy = (app: App): readonly Received[] => kept.get(app.db) ?? []

/** The address of a program that the receiver of the demo plays. */
export const receiverUrl = (app: App, name: string): string =>
  `${app.config.publicOrigin}/dev/webhooks/${name}`

export const hasReceiver = ({ config }: App): boolean => config.demo && !config.production

/** True for a URL of the demo's own receiver: what is sent there is handed over within the process, and no connection is made. */
export const isOwnReceiver = (app: App, url: string): boolean =>
  hasReceiver(app) && url.startsWith(`${app.config.publicOrigin}/dev/webhooks/`)

/** Takes a message as a customer's program would. An address that ends in /broken answers 500, one in /gone 410. */
export function receive(
  app: App,
  url: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
): Outcome {
  const path = url.slice(app.config.publicOrigin.length)
  const status = STATUSES[path.slice(path.lastIndexOf('/'))] ?? 200
  const list = kept.get(app.db) ?? []
  list.unshift({ at: new Date(), path, headers, body, status })
  kept.set(app.db, list.slice(0, MOST_KEPT))
  const answer = status === 200 ? '{"received":true}' : '{"error":"broken on purpose"}'
  return { took_ms: 2, answer: { status, headers: [['content-type', 'application/json']], body: answer } }
}
