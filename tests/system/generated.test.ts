import fc from 'fast-check'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { routes } from '#app/server/features.ts'
import { createHost } from '#features/hosts/server/hosts.ts'
import { languages } from '#features/profile/rules.ts'
import { must } from '#foundation/must.ts'
import type { Route } from '#foundation/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { contractOf, misfitOf } from '#tests/harness/judge.ts'
import { generatedRequest } from './generated-requests.ts'
import type { Generated } from './generated-requests.ts'
import { bearer, halfSignedIn, password, session, signedIn, tokenOf } from './people.ts'
import type { Person } from './people.ts'
import { sendRaw } from './raw-request.ts'
import type { RawReply, RawRequest } from './raw-request.ts'

const REQUESTS = Number(process.env['REQUESTS'] ?? 3_500)
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const AT_ONCE = 16
// The requests end sessions, so that the people are made anew after this many requests.
const WITH_THE_SAME_PEOPLE = 50

const { app, url, logged } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000000', SMTP_URL: '' } })
const contracts: readonly Route[] = routes.map((served) => served.contract)

// The requests know the address and the password of this account, so that some of them sign in.
await signedIn(app, { email: 'anna@example.com' })
const HOST_OF_CALLER = 'the-host-of-the-caller'
const place = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
const pools = {
  hostId: [HOST_OF_CALLER],
  ipv4: ['10.0.0.1', '127.0.0.1', '010.0.0.1', '1.2.3.4/8'],
  ipv6: ['2001:db8::1', '2001:DB8:0:0::/64', 'fe80::1%eth0', '::ffff:10.0.0.1'],
  hours: ['1', '24', '720', '721'],
  cursor: [
    place('created_at', 'desc', '2026-01-01T00:00:00.000Z', '5'),
    place('name', 'asc', 'a%\\', '-1'),
    place('paid_until', 'asc', '', '999999999999999999'),
  ],
  email: ['anna@example.com', 'Anna@Example.com', 'nobody@example.org', 'new@example.net'],
  password: [password, 'password1', '12345678'],
  repeat_password: [password],
  current_password: [password],
  new_password: ['another horse battery'],
  code: ['123456', '000000', '01234567'],
  key: ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  refresh_token: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.AAAA'],
  country: ['DE', 'de', 'XX', 'ZZZ'],
  language: [...languages.map(({ uuid }) => uuid), '00000000-0000-0000-0000-000000000000'],
  sessions: [[1], [2, 3], [9_007_199_254_740_993], ['1']],
}

it(
  `rule 47: no input makes a 5xx or an answer that is not declared: ${REQUESTS} generated requests over all routes (SEED=${SEED})`,
  async () => {
    const requests = fc.sample(generatedRequest(contracts, pools), { numRuns: REQUESTS, seed: SEED })
    const faults: string[] = []
    const statuses = new Map<number, number>()
    let callers = await makeCallers()
    for (let at = 0; at < requests.length; at += AT_ONCE) {
      if (at % WITH_THE_SAME_PEOPLE < AT_ONCE) callers = await makeCallers()
      const batch = requests.slice(at, at + AT_ONCE)
      await Promise.all(
        batch.map(async (generated) => {
          const reply = await send(generated, callers).catch((error: unknown) => String(error))
          const fault = typeof reply === 'string' ? reply : faultOf(generated, reply)
          if (typeof reply !== 'string') statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
          if (fault) faults.push(describeFault(generated, fault))
        }),
      )
    }
    const counted = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${count}`)
    process.stdout.write(`  SEED=${SEED}, answers by status: ${counted.join(', ')}\n`)
    expect(distinct(faults), `SEED=${SEED}`).toEqual([])
    expect(logged.filter((line) => line['level'] === 'error' || line['level'] === 'fatal')).toEqual([])
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    // Enough requests must pass the first check of a route, or the test shows nothing.
    if (!process.env['CALLER']) expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 50)
  },
  120_000 + REQUESTS * 20,
)

const hostIds = new Map<string, string>()

/** Makes a host and keeps its id for `send`, which puts it into the paths: the requests are generated before the hosts exist. */
async function giveHost({ user_id, access_token, session_token }: Person): Promise<void> {
  const host = await transaction(app, 'system', (tx) => createHost(tx, { user_id }))
  for (const token of [access_token, session_token]) hostIds.set(token, host.public_id)
}

type Callers = Record<Generated['as'], Record<string, string>>

async function makeCallers(): Promise<Callers> {
  const [one, two, three] = await Promise.all([
    signedIn(app),
    signedIn(app, { is_staff: true }),
    signedIn(app),
  ])
  const pending = await halfSignedIn(app, three.user_id, three.email)
  await Promise.all([one, two, three].map(giveHost))
  const made = await fetch(`${url}/api/hosts/${hostIds.get(one.access_token)}/agent-token/`, {
    method: 'POST',
    headers: bearer(one),
  })
  const agent = (await made.json()) as { token: string }
  return {
    nobody: {},
    bearer: bearer(one),
    session: session(two.session_token),
    both: { ...bearer(three), ...session(three.session_token) },
    pending: session(pending),
    agent: { authorization: `Bearer ${agent.token}` },
    program: { authorization: `Bearer ${await tokenOf(app, one)}` },
    junk: { authorization: 'Bearer \xff.x.y', 'x-session-token': 'made-up' },
  }
}

/** Sends a request, and repeats it if the product is too busy (503): it must then get its answer. */
async function send({ as, request }: Generated, callers: Callers): Promise<RawReply> {
  const { host } = new URL(url)
  const token = Object.values(callers[as])[0]?.replace('Bearer ', '') ?? ''
  const target = request.target.replace(HOST_OF_CALLER, hostIds.get(token) ?? HOST_OF_CALLER)
  const whole = {
    ...request,
    target,
    headers: [['Host', host], ...Object.entries(callers[as]), ...request.headers],
  }
  for (let attempt = 0; ; attempt += 1) {
    const reply = await sendRaw(url, whole as RawRequest)
    if (reply.status !== 503 || !reply.headers.has('retry-after') || attempt === 5) return reply
    await sleep(500)
  }
}

function faultOf({ request }: Generated, { status, headers, body }: RawReply): string | undefined {
  if (status >= 500) return `${status} ${body.slice(0, 300)}`
  // A client that disconnects before its request is whole gets no answer; nor does CONNECT, for there is no proxy here.
  if (status === 0) return request.hangsUp ? undefined : 'no answer'
  // Node itself answers an expectation it does not know, by the status alone.
  if (status === 417) return undefined
  // Requests that are no HTTP are answered by the socket, before there is a request that could have an id.
  if (request.hangsUp && !headers.has('x-request-id')) return undefined
  const { method } = request
  if (method === 'HEAD' || status === 304) return body === '' ? undefined : 'a body where none may be'
  const type = headers.get('content-type')?.[0] ?? ''
  const path = must(request.target.split('?')[0])
  const isCall = contractOf(method, path) !== undefined
  if (status >= 400 && !type.startsWith('application/json'))
    return isCall || !type.startsWith('text/plain')
      ? `${status} as '${type}': ${body.slice(0, 200)}`
      : undefined
  return misfitOf({ method, path, status, type, body })
}

function describeFault({ as, request, contract }: Generated, fault: string): string {
  const headers = request.headers.map(([name, value]) => `${name}: ${value.slice(0, 60)}`).join(' | ')
  const body = request.body?.toString('utf8').slice(0, 200)
  return `${fault}\n    ${contract?.path ?? 'elsewhere'} as ${as}: ${request.method} ${request.target.slice(0, 160)} [${headers}] ${body ?? ''}`
}

/** Returns one fault of each kind, so that a frequent fault does not fill the screen. */
function distinct(faults: readonly string[]): string[] {
  const kinds = new Map<string, string>()
  for (const fault of faults)
    kinds.set(
      must(fault.split('\n')[0])
        .replaceAll(/[0-9a-f-]{36}/g, 'id')
        .slice(0, 80) + must(fault.split('\n')[1]).slice(0, Number(process.env['WIDE'] ?? 0)),
      fault,
    )
  return [...kinds.values()]
}
