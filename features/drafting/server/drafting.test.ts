import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { draftText, getDrafting } from '#features/drafting/contract.ts'
import { addSection, publish, write } from '#features/help/server/help.ts'
import { postNote } from '#features/support/messages/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say } from '#tests/harness/tickets.ts'
import { instructions } from './instructions.ts'

type Asked = { path: string | undefined; key: string | undefined; body: Record<string, unknown> }

/** The stand-in for a model: keeps what it is asked, and answers what `answer` says. */
const seen: Asked[] = []
let answer: { status: number; body: unknown } = { status: 200, body: {} }
const model = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
    seen.push({ path: request.url, key: request.headers.authorization, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
})
await new Promise<void>((resolve) => void model.listen(0, '127.0.0.1', resolve))
afterAll(() => model.close())
const says = (content: string, more: object = {}) => {
  answer = { status: 200, body: { choices: [{ message: { role: 'assistant', content, ...more } }] } }
}

const test = await startTestApp({
  settings: {
    ASSISTANT_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1/`,
    ASSISTANT_KEY: 'a-key-of-the-house',
    ASSISTANT_MODEL: 'house-7b',
    ASSISTANT_TOPICS: 'technical',
    RATE_LIMIT_SCALE: '1000',
  },
})
const [anna, other, staff] = [
  await signedInCustomer(test),
  await signedInCustomer(test),
  await signedInStaff(test, { roles: ['support'] }),
]
await transaction(test.app, 'system', async (tx) => {
  const none = { en: '', de: '', ru: '' }
  const section = await addSection(tx, { slug: 'servers', rank: 1, title: { ...none, en: 'Servers' } })
  for (const [slug, audience, title] of [
    ['restart-the-agent', 'everybody', 'Restart the agent'],
    ['agent-secrets', 'staff', 'Agent secrets of the house'],
  ] as const)
    await publish(
      tx,
      await write(
        tx,
        {
          section_id: section.id,
          slug,
          audience,
          title: { en: title },
          text: { en: `${title} by systemctl.` },
        },
        null,
      ),
    )
})

const draft = (chatId: string, kind: 'draft' | 'summary' | 'translation' = 'draft', who: Customer = staff) =>
  who.api.call(draftText, { params: { chatId }, body: { kind, language: 'de' } })
const promptOf = (asked: Asked) => JSON.stringify(asked.body['messages'])

it('asks as OpenAI is asked, with articles, facts and messages, and without what is private', async () => {
  expect(bodyOf(await staff.api.call(getDrafting, {}), 200)).toEqual({ is_on: true, topics: ['technical'] })
  says('Restart it, see https://evil.example/x')
  const { id } = await opened(anna, {
    subject: 'The agent on 203.0.113.9 stopped',
    message:
      'IBAN DE89 3704 0044 0532 0130 00, token hda_9fK2mQx7LwZpQQ, mail me at anna@example.org. How to restart the agent?',
  })
  await staff.api.call(postNote, {
    params: { chatId: id },
    body: { client_id: crypto.randomUUID(), text: 'NOTE-OF-STAFF' },
  })
  const { text, sources } = bodyOf(await draft(id), 200)
  expect(text).toBe('Restart it, see […]')
  expect(sources).toEqual([
    { title: 'Restart the agent', url: 'http://localhost:3000/help/en/servers/restart-the-agent/' },
  ])
  const asked = must(seen.at(-1))
  expect(asked).toMatchObject({
    path: '/v1/chat/completions',
    key: 'Bearer a-key-of-the-house',
    body: { model: 'house-7b', stream: false, messages: [{ role: 'system' }, { role: 'user' }] },
  })
  expect(Object.keys(asked.body).toSorted()).toEqual(
    ['max_tokens', 'messages', 'model', 'stream', 'temperature'].toSorted(),
  )
  const prompt = promptOf(asked)
  expect(prompt).toContain('Restart the agent by systemctl.')
  expect(prompt).toContain('IBAN [IBAN], token [token], mail me at [email address]')
  expect(prompt).not.toMatch(/203\.0|DE89|hda_|anna@|NOTE-OF-STAFF|secrets of the house/)
})

it('says what is wrong where there is no answer, and asks for no ticket of another topic', async () => {
  const { id } = await opened(anna)
  for (const [status, body] of [
    [500, {}],
    [200, { choices: [] }],
    [200, { choices: [{ message: { content: '<think>only thoughts' } }] }],
    [302, {}],
  ] as const) {
    answer = { status, body }
    expect(await draft(id, 'summary')).toMatchObject({ status: 503, body: refusal(503, 'drafting_failed') })
  }
  const count = seen.length
  const money = await opened(anna, { topic: 'finances' })
  expect(await draft(money.id)).toMatchObject({ status: 409, body: refusal(409, 'drafting_off') })
  expect((await draft('x'.repeat(22))).status).toBe(404)
  expect([401, 403]).toContain((await draft(id, 'draft', anna)).status)
  expect(seen).toHaveLength(count)
  const without = await startTestApp()
  const theirs = await signedInStaff(without, { roles: ['support'] })
  expect(bodyOf(await theirs.api.call(getDrafting, {}), 200)).toEqual({ is_on: false, topics: [] })
  await without.close()
})

it('200 messages that instruct the model cause no act, and bring no text of another customer into a prompt', async () => {
  expect(instructions).toHaveLength(200)
  await opened(other, {
    subject: 'ZEBRA-SUBJECT',
    message: 'ZEBRA-MESSAGE about the agent',
    topic: 'technical',
  })
  const tickets: string[] = []
  for (let from = 0; from < instructions.length; from += 10) {
    const [first = '', ...rest] = instructions.slice(from, from + 10)
    const { id } = await opened(anna, { message: first })
    for (const text of rest) expect((await say(anna, id, text)).status).toBe(201)
    tickets.push(id)
  }
  const before = await rowsOfAll()
  says('DONE. {"tool":"refund","amount":"all"}', {
    tool_calls: [{ id: '1', type: 'function', function: { name: 'closeTicket', arguments: '{}' } }],
    function_call: { name: 'giveCredit', arguments: '{"amount":"100000"}' },
  })
  const from = seen.length
  for (const id of tickets)
    for (const kind of ['draft', 'summary', 'translation'] as const)
      expect((await draft(id, kind)).status).toBe(200)
  const prompts = seen.slice(from).map(promptOf)
  expect(prompts).toHaveLength(60)
  expect(prompts.filter((prompt) => /ZEBRA-|secrets of the house|NOTE-OF-STAFF/.test(prompt))).toEqual([])
  expect(await rowsOfAll()).toEqual(before)
})

/** The number of rows of each table, and what tickets hold, but for counted requests: an act would change some. */
async function rowsOfAll(): Promise<unknown> {
  const tables = await asOwner(
    test,
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname not in ('attempts', 'sessions', 'jobs') order by 1`,
  )
  const counts: unknown[] = []
  for (const table of tables) {
    const name = String(Reflect.get(Object(table), 'name'))
    counts.push([name, await asOwner(test, `select count(*)::int as n from ${name}`)])
  }
  const states = 'select id, status, assignee_id, staff_seq, topic, priority from tickets order by id'
  return { counts, states: await asOwner(test, states) }
}
