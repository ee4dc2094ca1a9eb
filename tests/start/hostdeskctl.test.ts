import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import { anna } from '#app/seed/people.ts'
import { createToken } from '#features/sharing/token-contract.ts'
import { must } from '#foundation/must.ts'
import { Client } from '#tests/harness/client.ts'
import { nodes } from '#tests/harness/nodes.ts'
import { startProduct } from './product.ts'
import { seededFolder, temporaryFolder } from './temporary-folder.ts'

type Outcome = { code: number | null; out: string; err: string }

/** The program as a customer has it: one file from the product, run by an old Node where the machine has one, with a home of its own. */
class Program {
  readonly home = temporaryFolder()
  private readonly file = path.join(this.home, 'hostdeskctl.mjs')
  private readonly node = must(nodes.at(-1)).command

  async fetchFrom(origin: string): Promise<void> {
    writeFileSync(this.file, await (await fetch(`${origin}/hostdeskctl.mjs`)).text())
  }

  /** Runs a command with this standard input. The output is a pipe. */
  run(words: readonly string[], input = '', environment: Record<string, string> = {}): Promise<Outcome> {
    const child = spawn(this.node, [this.file, ...words], {
      cwd: this.home,
      env: { HOME: this.home, TZ: 'UTC', ...environment },
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('latin1')))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.stdin.end(input)
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })))
  }

  /** Starts a command that never ends by itself. It ends with the test. */
  begin(words: readonly string[]): { lines(): string[] } {
    const child = spawn(this.node, [this.file, ...words], { cwd: this.home, env: { HOME: this.home } })
    onTestFinished(() => void child.kill())
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    return { lines: () => out.split('\n').filter(Boolean) }
  }

  async json<Answer>(...words: string[]): Promise<Answer> {
    const { code, out, err } = await this.run(words)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(Buffer.from(out, 'latin1').toString()) as Answer
  }
}

it('is a customer’s command line: signs in, orders, reads documents, writes tickets with files, and says what is refused', async () => {
  const product = await startProduct({ dataDir: seededFolder() })
  const browser = new Client(product.url)
  const login = { email: anna.email, password: anna.password }
  expect((await browser.post('/api/allauth/app/v1/auth/login', login)).status).toBe(200)
  const made = await browser.call(createToken, {
    body: { name: 'Deploy script', role: 'full', all_hosts: true, ends: '30' },
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const { secret } = made.body
  const program = new Program()
  await program.fetchFrom(product.url)

  // Without a token, with a wrong one, with one that everybody can read, and with nobody at the address.
  expect(await program.run(['hosts'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('hostdeskctl login') as string,
  })
  const mistyped = await program.run(['login', product.url], `${secret}x`)
  expect(mistyped).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining('401 not_authenticated') as string,
  })
  expect(await program.run(['login', secret])).toMatchObject({ code: 2 })
  const nobody = { HOSTDESK_TOKEN: secret, HOSTDESK_URL: 'http://127.0.0.1:9' }
  expect(await program.run(['hosts'], '', nobody)).toMatchObject({ code: 75 })

  expect(await program.run(['login', product.url], `${secret}\n`)).toMatchObject({ code: 0, err: '' })
  const kept = path.join(program.home, '.config/hostdeskctl/access.json')
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  expect(statSync(path.dirname(kept)).mode & 0o777).toBe(0o700)
  chmodSync(kept, 0o644)
  expect(await program.run(['hosts'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('chmod 600') as string,
  })
  chmodSync(kept, 0o600)

  // Things, as JSON in a pipe and as a table where one is asked for.
  type Hosts = { items: { id: string; name: string }[] }
  const { items } = await program.json<Hosts>('hosts', 'list', '--sort', 'name')
  expect(items.length).toBeGreaterThan(3)
  const table = await program.run(['hosts', '--sort', 'name', '--table', '--columns', 'name,licence.status'])
  expect(table.out.split('\n')[0]).toMatch(/^name +licence\.status$/)
  expect(table.out).toContain(must(items[0]).name)
  expect(table.out).not.toContain('\u001b')
  const created = ['hosts', 'create', '--name', 'by-script', '--ipv4', '198.51.100.77']
  const host = await program.json<{ id: string; name: string }>(...created)
  expect(host.name).toBe('by-script')
  const refused = await program.run(['hosts', 'create', '--ipv4', '999.1.1.1'])
  expect(refused).toMatchObject({
    code: 3,
    err: expect.stringMatching(/400 invalid_ipv4: field ipv4: \S/) as string,
  })
  const asJson = await program.run(['hosts', 'create', '--ipv4', '999.1.1.1', '--json'])
  expect(JSON.parse(asJson.out)).toMatchObject({
    status: 400,
    errors: [{ code: 'invalid_ipv4', param: 'ipv4' }],
  })
  for (const id of ['AAAAAAAAAAAAAAAAAAAAAA', '-AAAAAAAAAAAAAAAAAAAAA'])
    expect(await program.run(['hosts', 'get', id])).toMatchObject({ code: 4 })
  expect(await program.run(['hosts', 'dance'])).toMatchObject({
    code: 2,
    err: expect.stringContaining("'hosts dance'") as string,
  })
  expect(await program.run(['api', 'GET', '//127.0.0.1:9/api/'])).toMatchObject({ code: 2 })

  type Plans = { items: { slug: string; price_total: { amount: string; currency: string } }[] }
  const { items: plans } = await program.json<Plans>('licences', 'list-plans', '--host', host.id)
  const plan = must(plans[0])
  const price = `${BigInt(plan.price_total.amount) / 100n}.${plan.price_total.amount.slice(-2)} ${plan.price_total.currency}`
  const order = ['licences', 'order', host.id, '--plan', plan.slug, '--expected-total', price]
  const ordered = await program.run([...order, '--idempotency-key', 'once-and-no-more'])
  expect(ordered).toMatchObject({ code: 0, err: '' })
  expect((await program.run([...order, '--idempotency-key', 'once-and-no-more'])).out).toBe(ordered.out)

  const { items: invoices } = await program.json<{ items: { id: string; number: string }[] }>('invoices')
  const invoice = path.join(program.home, 'invoice.pdf')
  await program.json('invoices', 'get-pdf', must(invoices[0]).id, '--output', invoice)
  expect(readFileSync(invoice).subarray(0, 5).toString()).toBe('%PDF-')
  expect((await program.run(['invoices', 'get-pdf', must(invoices[0]).id])).out.slice(0, 5)).toBe('%PDF-')

  const log = path.join(program.home, 'agent.log')
  writeFileSync(log, 'Nothing answers since 09:14.\n')
  const words = [
    '--subject',
    'No answer',
    '--message',
    'See the file.',
    '--topic',
    'technical',
    '--attach',
    log,
  ]
  const ticket = await program.json<{ id: string }>('tickets', 'create', ...words)
  type Messages = { items: { text: string; attachments: { id: string; name: string }[] }[] }
  const { items: messages } = await program.json<Messages>('tickets', 'list-messages', ticket.id)
  const [file] = must(messages[0]).attachments
  expect(file?.name).toBe('agent.log')
  expect((await program.run(['tickets', 'get-attachment', must(file).id, '-o', '-'])).out).toBe(
    'Nothing answers since 09:14.\n',
  )
  const body = JSON.stringify({ text: 'By any call.', client_id: crypto.randomUUID() })
  const posted = await program.run(
    ['api', 'post', `/api/tickets/${ticket.id}/messages/`, '--body', '-'],
    body,
  )
  expect(JSON.parse(posted.out)).toMatchObject({ text: 'By any call.' })

  await reachesTheRest(program, { ticket: ticket.id, host: host.id })
  await followsEvents(program)

  expect(await program.run(['logout', '--end-token'])).toMatchObject({ code: 0, err: '' })
  const ended = { HOSTDESK_TOKEN: secret, HOSTDESK_URL: product.url }
  expect(await program.run(['tokens', 'get-own'], '', ended)).toMatchObject({ code: 3 })
})

type Page = { items: object[] }

/** Orders that wait for money, saved methods, promo codes, statements, alerts, ratings, and by `api` what is open to anybody. */
async function reachesTheRest(program: Program, { ticket, host }: { ticket: string; host: string }) {
  const order = ['--for', 'top_up', '--provider', 'bank', '--amount', '20 EUR']
  const { id } = await program.json<{ id: string }>('finances', 'create-checkout', ...order)
  const { items } = await program.json<Page>('finances', 'list-checkouts')
  expect(items).toContainEqual(expect.objectContaining({ id }))
  expect(await program.run(['finances', 'cancel-checkout', id])).toMatchObject({ code: 0, err: '' })
  for (const list of ['list-methods', 'list-signed-statements', 'list-waiting-transfers'])
    expect((await program.json<Page>('finances', list)).items, list).toBeInstanceOf(Array)
  const promo = await program.run(['licences', 'preview-promo', '--code', 'NO-SUCH-CODE'])
  expect(promo).toMatchObject({ code: 3, err: expect.stringContaining('400 unknown_promo') as string })
  expect(await program.json('hosts', 'get-alerts', host)).toHaveProperty('own')
  await program.json('tickets', 'expect-answer', ticket)
  await program.json('tickets', 'close', ticket)
  const rated = ['tickets', 'rate', ticket, '--face', 'good', '--word', 'Quick.']
  expect((await program.run(rated)).code).toBe(0)
  expect(await program.json('tickets', 'get-rating', ticket)).toMatchObject({ rating: { face: 'good' } })
  expect((await program.json<Page>('api', 'GET', '/api/products/')).items.length).toBeGreaterThan(0)
  await program.json('api', 'GET', '/api/help/', '--query', 'q=invoice', '--query', 'language=en')
  const own = await program.run(['api', 'GET', '/api/finances/payouts/'])
  expect(own).toMatchObject({ code: 3, err: expect.stringContaining('403 session_required') as string })
}

/** The events of the account are printed as they come, and reach a receiver that knows the secret of the machine alone. */
async function followsEvents(program: Program): Promise<void> {
  const { newest } = await program.json<{ newest: number }>('events')
  const received: { headers: Record<string, string>; body: string }[] = []
  const receiver = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body })
      // The first attempt meets a receiver that is out of order.
      reply.writeHead(received.length === 1 ? 500 : 204).end()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const to = ['--after', String(newest), '--type', 'host.*', '--every', '1']
  const printed = program.begin(['events', 'follow', ...to])
  const forwarded = program.begin(['webhooks', 'listen', '--forward', `http://127.0.0.1:${port}/hook`, ...to])
  const { id } = await program.json<{ id: string }>('hosts', 'create', '--name', 'followed')

  const about = { type: 'host.created', data: expect.objectContaining({ id, name: 'followed' }) as object }
  await expect.poll(() => printed.lines().map((line) => JSON.parse(line) as object)).toMatchObject([about])
  await expect.poll(() => received).toHaveLength(2)
  const secret = readFileSync(path.join(program.home, '.config/hostdeskctl/webhook-secret'), 'utf8').trim()
  const { headers, body } = must(received[1])
  expect([body, headers['webhook-id']]).toEqual([received[0]?.body, received[0]?.headers['webhook-id']])
  expect(new Webhook(secret).verify(body, headers)).toMatchObject(about)
  expect(() => new Webhook(secret).verify(body.replace('followed', 'other'), headers)).toThrow()
  await expect.poll(() => forwarded.lines()).toHaveLength(2)
  expect(forwarded.lines().map((line) => JSON.parse(line) as object)).toMatchObject([
    { type: 'host.created', status: 500 },
    { type: 'host.created', status: 204 },
  ])
}
