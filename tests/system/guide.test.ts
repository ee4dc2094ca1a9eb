import { createHmac, randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { published } from '#app/server/features.ts'
import { addressOf, guidePages, readDoc } from '#app/server/guide/pages.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { programOf } from '#tests/harness/grants.ts'
import { addHost } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { anyAddress, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { endingOf, folder, isInstalled, languages, runSnippet, snippets } from '#tests/guide/snippets.ts'

// Go compiles before it runs, which takes long on a busy machine.
const COMPILED_MS = 180_000

const test = await startTestApp()
await stockShop(test)
const owner = await signedInCustomer(test)
await addMoney(test.app, owner.user_id, 100_00n)
for (const name of ['web-1', 'web-2', 'web-3']) await addHost(owner.api, { name })
const { licence_key } = await addHost(owner.api, { name: 'licensed' })
const token = await programOf(test, owner, { role: 'full', month_limit: '10000' })
// The list of events is written from the first look at it on.
await token.api.get('/api/events/history/')
await addHost(owner.api, { name: 'told' })
const cwd = mkdtempSync(path.join(tmpdir(), 'hostdesk-guide-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const key = randomBytes(32)
const WEBHOOK_SECRET = `whsec_${key.toString('base64')}`
const env = {
  HOSTDESK_URL: test.url,
  HOSTDESK_TOKEN: token.api.access_token ?? '',
  LICENCE_KEY: licence_key,
  WEBHOOK_SECRET,
}

/** The least that an example says; one that would go on is ended then. */
const outputs: Readonly<Record<string, { says: RegExp; goesOn?: true }>> = {
  'first-call': { says: /web-1/ },
  errors: { says: /400\b[\s\S]*invalid_ipv4/ },
  paging: { says: /web-3[\s\S]*web-2[\s\S]*web-1|web-1[\s\S]*web-2[\s\S]*web-3/ },
  idempotency: { says: /^true|^True|("id":"[^"]+")[\s\S]*\1/ },
  retry: { says: /200|"items"/ },
  files: { says: /^#\d+|"number":\d+/ },
  live: { says: /ready/, goesOn: true },
  validate: { says: /free/ },
  history: { says: /host\.created/ },
}

const nameOf = (file: string) => path.parse(file).name
const ordinary = snippets.filter((file) => outputs[nameOf(file)])
const verifying = snippets.filter((file) => nameOf(file) === 'verify-webhook')
const isMissing = (file: string) => !isInstalled(endingOf(file))

describe('the examples of the guide run against the product', () => {
  it.for(ordinary)('%s', { timeout: COMPILED_MS }, async (file, { skip }) => {
    skip(isMissing(file), `${languages[endingOf(file)]?.name} is not installed`)
    const { says, goesOn } = outputs[nameOf(file)] ?? { says: /^$/ }
    const { passed, output } = await runSnippet(file, { env, cwd, ...(goesOn && { until: says }) })
    expect(output).toMatch(says)
    expect([passed, output]).toEqual([true, output])
  })

  it('in curl and TypeScript on each machine', () => {
    expect(['sh', 'ts'].filter((ending) => !isInstalled(ending))).toEqual([])
  })

  it('all of them, and each stands on a page', () => {
    const shown = guidePages.flatMap(({ file }) =>
      [...readDoc(file).matchAll(/\]\(snippets\/([^)]+)\)/g)].map(([, name = '']) => name),
    )
    expect(shown.toSorted()).toEqual(snippets)
    expect([...ordinary, ...verifying, 'program.py'].toSorted()).toEqual(snippets)
  })
})

/** Signs as Standard Webhooks say, with `secrets` in use together. */
function signed(body: string, { secret = key, age_s = 0, others = [] as Buffer[] } = {}) {
  const id = `evt_${randomBytes(8).toString('hex')}`
  const timestamp = String(Math.floor(Date.now() / 1000) - age_s)
  const one = (by: Buffer) =>
    `v1,${createHmac('sha256', by).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  return { id, timestamp, signature: [...others, secret].map(one).join(' ') }
}

describe('the examples that verify a webhook', () => {
  const body = '{"type":"ticket.created","data":{"subject":"Größe – 1 €"}}'
  const cases: [name: string, headers: ReturnType<typeof signed>, sent: string, passes: boolean][] = [
    ['a signed one', signed(body), body, true],
    [
      'one with the signature of an old secret before its own',
      signed(body, { others: [randomBytes(32)] }),
      body,
      true,
    ],
    ['one of somebody else', signed(body, { secret: randomBytes(32) }), body, false],
    ['another body', signed(body), body.replace('1 €', '2 €'), false],
    ['an old one', signed(body, { age_s: 900 }), body, false],
    ['one from the future', signed(body, { age_s: -900 }), body, false],
    [
      'one of another version',
      { ...signed(body), signature: signed(body).signature.replace('v1,', 'v2,') },
      body,
      false,
    ],
    ['one without a signature', { ...signed(body), signature: '' }, body, false],
  ]
  it.for(verifying)('%s', { timeout: COMPILED_MS }, async (file, { skip }) => {
    skip(isMissing(file), `${languages[endingOf(file)]?.name} is not installed`)
    const judged: [string, boolean][] = []
    for (const [name, { id, timestamp, signature }, sent] of cases) {
      const at = path.join(cwd, 'body.json')
      writeFileSync(at, sent)
      const headers = { WEBHOOK_ID: id, WEBHOOK_TIMESTAMP: timestamp, WEBHOOK_SIGNATURE: signature }
      const { passed } = await runSnippet(file, { env: { ...env, ...headers }, cwd, args: [at] })
      judged.push([name, passed])
    }
    expect(judged).toEqual(cases.map(([name, , , passes]) => [name, passes]))
  })
})

it('a program of 40 lines orders, verifies its licence, opens a ticket with a file, and believes a webhook', async ({
  skip,
}) => {
  skip(!isInstalled('py'), 'Python is not installed')
  const program = readFileSync(path.join(folder, 'program.py'), 'utf8')
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  cpSync('agent/libraries/python/hostdesk_licence.py', path.join(cwd, 'hostdesk_licence.py'))
  const PORT = String(await freePort())
  let isSent = false
  const { passed, output } = await runSnippet('program.py', {
    env: { ...env, PYTHONPATH: cwd, PORT, IPV4: anyAddress() },
    cwd,
    said: (soFar) => {
      if (!/^ticket \d+/m.test(soFar) || isSent) return
      isSent = true
      void sendWebhook(`http://127.0.0.1:${PORT}/`)
    },
  })
  expect(output).toMatch(
    /^ordered \S+ standard-\w+\nlicence valid\nticket \d+\n[^]*^webhook ticket\.created$/m,
  )
  expect(passed).toBe(true)
})

async function sendWebhook(address: string): Promise<void> {
  const body = JSON.stringify({ type: 'ticket.created', data: {} })
  const { id, timestamp, signature } = signed(body)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  }
  await fetch(address, { method: 'POST', headers, body })
}

describe('the pages of the guide', () => {
  it('lead to each other, and to nothing that is not there', async () => {
    const seen = new Set<string>()
    for (const page of guidePages) {
      const reply = await fetch(test.url + addressOf(page))
      const html = await reply.text()
      expect([addressOf(page), reply.status]).toEqual([addressOf(page), 200])
      for (const [, href = ''] of html.matchAll(/ href="([^"]+)"/g)) {
        const at = new URL(href, test.url + addressOf(page))
        if (at.origin !== test.url || at.pathname.startsWith('/account/')) continue
        if (at.hash && at.pathname === addressOf(page)) expect(html).toContain(` id="${at.hash.slice(1)}"`)
        seen.add(at.pathname)
      }
    }
    for (const address of seen)
      expect([address, (await fetch(test.url + address)).status]).toEqual([address, 200])
    expect(seen.size).toBeGreaterThan(guidePages.length)
  })

  it('name each kind of event: in full, or by its verb behind the first of its thing', () => {
    const rows = readDoc('api/events.md').split('\n')
    const isNamed = (type: string) => {
      const [thing, verb] = type.split('.')
      return rows.some((row) => row.includes(`\`${thing}.`) && row.search(`[\`.]${verb}\``) > 0)
    }
    const kinds = published.filter(({ isForOperator }) => !isForOperator).map(({ type }) => type)
    expect(kinds.filter((type) => !isNamed(type))).toEqual([])
  })

  it('show the examples with the address of the installation, and as Markdown for programs', async () => {
    const start = await (await fetch(`${test.url}/api/docs/`)).text()
    expect(start).toContain('export HOSTDESK_URL=http://localhost:3000')
    expect(start.match(/<label for="s1-/g)).toHaveLength(4)
    const llms = await (await fetch(`${test.url}/llms.txt`)).text()
    expect(llms).toContain('](http://localhost:3000/api/docs/webhooks/index.md): Give an address')
    const documentWith = async (query: string) =>
      Object.keys((await (await fetch(`${test.url}/api/openapi.json${query}`)).json()) as object)
    expect(await documentWith('')).toContain('webhooks')
    expect(await documentWith('?webhooks=no')).not.toContain('webhooks')
    const markdown = await fetch(`${test.url}/api/docs/webhooks/index.md`)
    expect([markdown.headers.get('content-type'), (await markdown.text()).slice(0, 10)]).toEqual([
      'text/markdown; charset=utf-8',
      '# Webhooks',
    ])
  })
})
