import { readFileSync, statSync } from 'node:fs'
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startAgent, type AgentProcess } from '#tests/harness/agent-process.ts'
import { nodes } from '#tests/harness/nodes.ts'
import { must } from '#foundation/must.ts'

// The server of this test may also answer nonsense; tests/system/agent.test.ts runs the agent against the real server.
type Answer = { status?: number; headers?: Record<string, string>; body?: unknown }
let answer: () => Answer
let asked: { at_ms: number; request: IncomingMessage; body: string }[] = []
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] }
let published: object = jwks

const operator = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url === '/.well-known/jwks.json') return response.end(JSON.stringify(published))
    if (request.url === '/.well-known/licence-revocations') return response.end(NOTHING_REVOKED)
    asked.push({ at_ms: performance.now(), request, body: Buffer.concat(chunks).toString() })
    const { status = 200, headers = {}, body } = answer()
    return response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}).listen(0, '127.0.0.1')
await new Promise((resolve) => operator.once('listening', resolve))
const url = `http://127.0.0.1:${(operator.address() as AddressInfo).port}`
const token = `hda_${'x'.repeat(43)}`
afterAll(() => {
  operator.closeAllConnections()
  operator.close()
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
function licence(status: string, key = privateKey): string {
  const iat = Math.floor(Date.now() / 1000)
  const paid_until = new Date(Date.now() + 86_400_000).toISOString()
  const claims = {
    ver: 2,
    iss: url,
    sub: 'h',
    licence_key: 'k',
    ipv4: '10.0.0.1',
    status,
    plan: 'p',
    edition: 'p',
    entitlements: {},
    next: [],
    paid_until,
    iat,
  }
  return signed('hostdesk-licence+jwt', { ...claims, exp: iat + 9, grace_s: 9 }, key)
}
function signed(typ: string, claims: object, key = privateKey): string {
  const text = `${encode({ alg: 'EdDSA', typ, kid: 'k1' })}.${encode(claims)}`
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}
const NOTHING_REVOKED = signed('hostdesk-revocations+jwt', {
  seq: 0,
  iat: 1,
  exp: 2,
  revoked: [],
  withdrawn_keys: [],
})
const telling = (document: string, more = {}): Answer => ({
  body: { interval_s: 1, licence: document, withdrawn_keys: [], revocations_seq: 0, ...more },
})

beforeEach(() => {
  asked = []
  published = jwks
  answer = () => telling(licence('active'))
})

// An agent that a failed test left running would call the server of the next test.
let agents: AgentProcess[] = []
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.stop('SIGKILL')))
  agents = []
})

describe.each(nodes)('the agent on $name', ({ command }) => {
  const start = (settings: object, environment?: Record<string, string>) => {
    const agent = startAgent(command, settings, environment)
    agents.push(agent)
    return agent
  }

  it('sends figures that fit a machine, again and again, and keeps the licence for all programs', async () => {
    const agent = start({ url, token })
    await agent.said(/licensed, plan /)
    while (asked.length < 2) await sleep(50)
    const [first, second] = asked
    expect(must(second).at_ms - must(first).at_ms).toBeGreaterThan(850)
    expect(must(first).request.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'user-agent': 'hostdesk-agent/0.1.0',
    })
    const told = JSON.parse(must(first).body) as Record<string, number>
    expect(told['memory_used_bytes']).toBeGreaterThan(10_000_000)
    expect(told['memory_used_bytes']).toBeLessThan(must(told['memory_total_bytes']))
    expect(told['disk_used_bytes']).toBeLessThanOrEqual(must(told['disk_total_bytes']))
    expect(told['uptime_s']).toBeGreaterThan(0)
    const file = path.join(agent.folder, 'licence.jws')
    // All programs of the machine may read the file, and it has the form that libraries take: the document and nothing else.
    expect(statSync(file).mode & 0o777).toBe(0o644)
    expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(agent.lines()).toEqual([
      `hostdesk-agent: connected to ${new URL(url).host}`,
      'hostdesk-agent: licensed, plan p',
    ])
    expect(await agent.stop()).toBe(0)
    expect(agent.lines().at(-1)).toBe('hostdesk-agent: stopped')
  })

  it('drops a key that was withdrawn, and with it what a thief has signed', async () => {
    const agent = start({ url, token })
    await agent.said(/licensed, plan /)
    const good = readFileSync(path.join(agent.folder, 'licence.jws'), 'utf8')
    published = { keys: [], withdrawn: ['k1'] }
    answer = () => telling(licence('active'), { withdrawn_keys: ['k1'] })
    await agent.said(/not genuine and was not kept\..*has withdrawn/)
    expect(JSON.parse(readFileSync(path.join(agent.folder, 'jwks.json'), 'utf8'))).toEqual(published)
    expect(readFileSync(path.join(agent.folder, 'licence.jws'), 'utf8')).toBe(good)
    await agent.stop()
  })

  it('keeps the good licence when a forged one comes', async () => {
    const agent = start({ url, token })
    await agent.said(/licensed, plan /)
    const good = readFileSync(path.join(agent.folder, 'licence.jws'), 'utf8')
    const stranger = generateKeyPairSync('ed25519').privateKey
    answer = () => telling(licence('active', stranger))
    await agent.said(/not genuine and was not kept/)
    expect(readFileSync(path.join(agent.folder, 'licence.jws'), 'utf8')).toBe(good)
    answer = () => telling(licence('expired'))
    await agent.said(/no licence: The licence ended/)
    expect(readFileSync(path.join(agent.folder, 'licence.jws'), 'utf8')).not.toBe(good)
    await agent.stop('SIGINT')
  })

  // The pauses take twelve seconds: agent.test.ts, which restarts the server, shows on each Node that the agent tries again.
  it.runIf(command === nodes[0]?.command)(
    'carries on through every kind of bad answer, more and more slowly',
    async () => {
      const bad: Answer[] = [
        { status: 503, headers: { 'retry-after': '1' }, body: {} },
        { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
        { body: 'no JSON' },
        { body: { interval_s: 'soon', licence: 7 } },
      ]
      const good = answer
      answer = () => bad.shift() ?? good()
      const agent = start({ url, token })
      await agent.said(/licensed, plan /)
      const pauses = asked.slice(1).map(({ at_ms }, place) => at_ms - must(asked[place]).at_ms)
      expect(pauses).toHaveLength(4)
      // The agent's own first pause of 0.5 to 1 s would be shorter than the second of Retry-After.
      expect(pauses[0]).toBeGreaterThan(950)
      expect(pauses[3]).toBeGreaterThan(3_900)
      expect(agent.lines().filter((line) => line.includes('not connected'))).toHaveLength(4)
      expect(agent.lines().join('\n')).not.toContain(token)
      await agent.stop()
    },
    90_000,
  )

  it('comes as often as it is told, and changes its step with each answer', async () => {
    answer = () => telling(licence('active'), { interval_s: asked.length < 3 ? 1 : 3 })
    const agent = start({ url, token })
    while (asked.length < 4) await sleep(50)
    await agent.stop()
    const gaps = asked.slice(1).map(({ at_ms }, place) => at_ms - must(asked[place]).at_ms)
    expect(gaps[2]).toBeGreaterThan(2_600)
    expect(must(gaps[0])).toBeLessThan(must(gaps[2]))
  })

  it('ends while it waits for the next hour', async () => {
    answer = () => telling(licence('active'), { interval_s: 3600 })
    const agent = start({ url, token })
    await agent.said(/licensed, plan /)
    expect(await agent.stop()).toBe(0)
  })

  it.each<[string, object, RegExp]>([
    ['an address in clear', { url: 'http://account.example.com', token }, /not https/],
    ['no address', { token }, /no address/],
    ['no token', { url }, /no agent token/],
    ['a token that ends the header', { url, token: 'hda_x\r\nx: y' }, /no agent token/],
    ['what is no address', { url: 'example', token }, /is no address/],
    [
      'a password in the address',
      { url: 'https://a:b@account.example.com', token },
      /no user and no password/,
    ],
  ])('does not start with %s', async (_name, settings, why) => {
    const agent = start(settings)
    expect(await agent.ended).toBe(1)
    expect(agent.lines().join('\n')).toMatch(why)
    expect(asked).toEqual([])
  })

  it('takes settings from the environment as well', async () => {
    const agent = start({}, { HOSTDESK_URL: url, HOSTDESK_TOKEN: token })
    await agent.said(/licensed, plan /)
    await agent.stop()
  })

  it('logs when the licence cannot be kept, and stays connected', async () => {
    const agent = start({ url, token }, { HOSTDESK_STATE: '/dev/null/nowhere' })
    await agent.said(/could not be kept/)
    while (asked.length < 2) await sleep(50)
    expect(agent.lines().join('\n')).not.toContain('not connected')
    await agent.stop()
  })
})

it('the agent carries the same version as the product that serves it', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(readFileSync('agent/figures.mjs', 'utf8')).toContain(`VERSION = '${version}'`)
})
