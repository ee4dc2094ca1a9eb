import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { INTERVAL_S } from '#features/hosts/rules.ts'
import { recordCheckIn } from '#features/hosts/server/hosts.ts'
import * as contract from '#features/licences/contract.ts'
import { licenceDocument } from './document.ts'
import { isTooMany } from './machines.ts'
import { keyNews } from './signing-keys.ts'

/** Answers `POST /api/agent/check-in/`: a machine reports that it is running, with its metrics, and gets its licence. */
export const checkIn = handler(contract.checkIn, async ({ app, agent, body, caller }) => {
  assertPatient(app, agent.id)
  // The load is rounded to two decimals: the smallest numbers that JSON can hold are out of range for the column, a `real`.
  const { fingerprint, boot, ...reported } = body
  const figures = { ...reported, load_1m: Math.round(body.load_1m * 100) / 100 }
  const host = await recordCheckIn(app, { host_id: agent.id, address: caller.ip, figures })
  // The host was deleted, or its token renewed, after the token was checked.
  if (!host) throw new HttpError(401, [{ code: 'not_authenticated' }])
  const machine =
    fingerprint === undefined ? undefined : { fingerprint, boot, hostname: body.hostname, address: caller.ip }
  const is_over = machine !== undefined && (await isTooMany(app, host, machine))
  const licence = await licenceDocument(app, host, { machine: fingerprint, is_over })
  return { status: 200, body: { interval_s: INTERVAL_S, licence, ...(await keyNews(app)) } }
})

// A machine that restarts its agent over and over stays far below this limit, which keeps a flood of check-ins out of the tables.
const MOST = 20
const WINDOW_MS = 10_000

type Window = { from_ms: number; counts: Map<bigint, number> }
const windows = new WeakMap<App, Window>()

/**
 * Throws 429 for the twenty-first check-in of a host in a window of ten seconds. The check-ins are counted in memory, unlike attempts to
 * sign in: nothing can be guessed here, so several processes may let through several times as many, and a row for each check-in would
 * cost as much as the check-in.
 */
function assertPatient(app: App, host_id: bigint): void {
  const now_ms = performance.now()
  let window = windows.get(app)
  if (!window || now_ms - window.from_ms >= WINDOW_MS)
    windows.set(app, (window = { from_ms: now_ms, counts: new Map() }))
  const count = (window.counts.get(host_id) ?? 0) + 1
  window.counts.set(host_id, count)
  if (count <= MOST) return
  const wait_s = Math.ceil((window.from_ms + WINDOW_MS - now_ms) / 1000)
  throw new HttpError(429, [{ code: 'too_many_requests' }], wait_s)
}
