import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { deactivate, updateProfile } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { loadConfig } from '#app/server/config.ts'
import * as contract from '#features/invoices/contract.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { creditNote, issuedInvoice } from '#tests/harness/invoices.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { confirmedAt } from '#tests/harness/vat-proof.ts'
import { isConsumerInTheEu } from './consumers.ts'
import { findInvoice } from './invoices.ts'
import { jobs } from './feature.ts'
import { mailInvoice } from './invoice-mails.ts'
import { vatOfSale } from './vat-of-customer.ts'
import { decideVat } from './vat.ts'

const test = await startTestApp()
const { app } = test

async function read({ api }: Customer, publicId: string) {
  const reply = await api.call(contract.getInvoice, { params: { publicId } })
  expect(reply.status).toBe(200)
  return reply.body
}

async function list({ api }: Customer, query: { limit?: string; cursor?: string } = {}) {
  return (await api.call(contract.listInvoices, { query })).body
}

it('F-02 shows from, to, number, due date, lines, VAT, total and notes', async () => {
  const customer = await signedInCustomer(test)
  const profile = { name: 'Anna', surname: 'Brückner', address: 'Am Markt 1', zip: '20095', city: 'Hamburg' }
  await customer.api.call(updateProfile, { body: { ...profile, country: 'DE', company: 'Brückner GmbH' } })
  const { public_id, number } = await issuedInvoice(app, customer.user_id, { nets: [1_990n, 5n] })
  expect(number).toMatch(/^HD-20\d\d-\d{6}$/)
  expect(public_id).toMatch(/^[\w-]{22}$/)
  const eur = (amount: string) => ({ amount, currency: 'EUR' })
  const part = (code: string, amount: string, params = {}) => ({ code, params, amount: eur(amount) })
  const line = {
    description: { code: 'licence_order', params: { host: 'brave-otter-42', plan: 'Standard' } },
    quantity: '1',
    vat_rate: '19',
    period: {
      starts_at: '2026-11-21T10:00:00.000Z',
      ends_at: '2026-12-21T10:00:00.000Z',
      first_day: '2026-11-21',
      last_day: '2026-12-20',
    },
  }
  const invoice = await read(customer, public_id)
  expect(invoice).toEqual({
    id: public_id,
    number,
    kind: 'invoice',
    cancels: false,
    status: 'paid',
    issued_at: expect.stringMatching(/Z$/),
    issued_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    due_at: invoice.issued_at,
    from: expect.objectContaining({ name: 'Hostdesk Demo GmbH', city: 'Berlin', vat_id: 'DE123456789' }),
    to: {
      name: 'Anna Brückner',
      company: 'Brückner GmbH',
      street: 'Am Markt 1',
      apartment: '',
      zip: '20095',
      city: 'Hamburg',
      state: '',
      country: 'DE',
      email: customer.email,
      vat_id: '',
    },
    lines: [
      { ...line, cost: eur('1990'), price: eur('1990') },
      { ...line, cost: eur('5'), price: eur('5') },
    ],
    net: eur('1995'),
    allowance: eur('0'),
    gift: eur('0'),
    vat_kind: 'standard',
    vat_rate: '19',
    vat: eur('379'),
    total: eur('2374'),
    buyer_reference: '',
    order_reference: '',
    notes: [{ code: 'paid', params: {} }],
    formats: ['pdf', 'xrechnung'],
    document_versions: [],
    credit_note_of: null,
    replaces: null,
    replaced_by: null,
    credit_notes: [],
    host_id: null,
    explained: {
      lines: [
        [part('quantity', '1990', { count: '1', price: '1990' })],
        [part('quantity', '5', { count: '1', price: '5' })],
      ],
      net: [part('line', '1990', { place: '1' }), part('line', '5', { place: '2' })],
      vat: [part('vat_standard', '379', { country: 'DE', net: '1995', rate: '19' })],
      total: [part('net', '1995'), part('vat', '379')],
    },
  })
})

it('F-02 stays as it was issued when the profile changes later', async () => {
  const customer = await signedInCustomer(test)
  await customer.api.call(updateProfile, { body: { name: 'Anna', country: 'FR' } })
  const { public_id } = await issuedInvoice(app, customer.user_id)
  const before = await read(customer, public_id)
  expect(before).toMatchObject({ vat_kind: 'oss', vat_rate: '20', vat: { amount: '398' } })
  await customer.api.call(updateProfile, { body: { name: 'Bertha', country: 'US', vat_id: 'DE123456789' } })
  expect(await read(customer, public_id)).toEqual(before)
})

it('F-02 lists the newest first, page by page', async () => {
  const customer = await signedInCustomer(test)
  const issued: string[] = []
  for (let count = 0; count < 5; count += 1)
    issued.push((await issuedInvoice(app, customer.user_id)).public_id)
  const first = await list(customer, { limit: '2' })
  const second = await list(customer, { limit: '2', cursor: must(first.next_cursor) })
  const third = await list(customer, { limit: '2', cursor: must(second.next_cursor) })
  const shown = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id))
  expect(shown).toEqual(issued.toReversed())
  expect(third.next_cursor).toBeNull()
  const refused = await customer.api.get('/api/invoices/', { query: { cursor: 'AAAA' } })
  expect(refused.status).toBe(400)
})

it("rule 4: another customer's invoice, an unknown one and a malformed id are the same 404", async () => {
  const { public_id } = await issuedInvoice(app, (await signedInCustomer(test)).user_id)
  const stranger = await signedInCustomer(test)
  const answers = await Promise.all(
    [public_id, 'A'.repeat(22), '1', '%27'].map((id) => stranger.api.get(`/api/invoices/${id}/`)),
  )
  for (const { status, body } of answers) {
    expect(status).toBe(404)
    expect(body).toEqual(answers[0]?.body)
  }
  expect(await list(stranger)).toEqual({ items: [], next_cursor: null })
  expect(await findInvoice(app, app.db, stranger.user_id, public_id)).toBeUndefined()
})

it('rule 13: a credit note for all of it makes the invoice void', async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  const transaction_id = randomUUID()
  const original = await issuedInvoice(app, user_id, { nets: [1_990n, 5n], transaction_id })
  await customer.api.call(updateProfile, { body: { name: 'Somebody else', country: 'US' } })
  const refund = { user_id, transaction_id, refund_transaction_id: randomUUID(), reason: 'Ordered twice' }
  const note = await transaction(app, { userId: user_id }, (tx) => creditNote(app, tx, refund))
  const shown = await read(customer, must(note).public_id)
  const before = await read(customer, original.public_id)
  expect(shown).toMatchObject({
    kind: 'credit_note',
    cancels: true,
    status: 'paid',
    to: before.to,
    lines: before.lines,
    vat_rate: '19',
    total: { amount: '2374' },
    credit_note_of: { id: original.public_id, number: original.number },
    notes: [
      { code: 'credit_note_of', params: { number: original.number } },
      { code: 'given_back', params: {} },
      { code: 'text', params: { text: 'Ordered twice' } },
    ],
  })
  expect(before).toMatchObject({
    status: 'void',
    credit_notes: [{ id: shown.id, number: shown.number, total: { amount: '2374' } }],
  })
  expect((await list(customer)).items.map(({ status }) => status)).toEqual(['paid', 'void'])
})

it('rule 13: parts are refunded until nothing is left, and not a cent more', async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  const transaction_id = randomUUID()
  const original = await issuedInvoice(app, user_id, { nets: [1_000n], transaction_id })
  const creditBack = (amount?: bigint) =>
    transaction(app, { userId: user_id }, (tx) =>
      creditNote(app, tx, {
        user_id,
        transaction_id,
        refund_transaction_id: randomUUID(),
        ...(amount === undefined ? {} : { amount }),
      }),
    )
  expect(await creditBack(500n)).toMatchObject({ net: 420n, vat: 80n, total: 500n })
  expect((await read(customer, original.public_id)).status).toBe('paid')
  await expect(creditBack(691n)).rejects.toThrow('more than is left')
  expect(await creditBack()).toMatchObject({ net: 580n, vat: 110n, total: 690n })
  expect((await read(customer, original.public_id)).status).toBe('void')
  await expect(creditBack()).rejects.toThrow('nothing')
  // Red without the lock: two refunds at once both saw the whole rest, and the trigger was the only guard.
  const other = randomUUID()
  await issuedInvoice(app, user_id, { nets: [1_000n], transaction_id: other })
  const racing = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      transaction(app, { userId: user_id }, (tx) =>
        creditNote(app, tx, {
          user_id,
          transaction_id: other,
          refund_transaction_id: randomUUID(),
          amount: 500n,
        }),
      ),
    ),
  )
  expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

it('rule 13: nothing of an issued invoice changes, not even by the owner of the tables', async () => {
  const customer = await signedInCustomer(test)
  const { id } = await issuedInvoice(app, customer.user_id)
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  await owner.query("select set_config('app.actor', 'system', false)")
  const refused = async (statement: string) => {
    await expect(owner.query(statement), statement).rejects.toThrow(/append-only|issued invoice|not its net/)
  }
  for (const statement of [
    `update invoices set total = 1 where id = ${id}`,
    `update invoices set keep_until = '2000-01-01' where id = ${id}`,
    `delete from invoices where id = ${id}`,
    'truncate invoices cascade',
    `update invoice_snapshots set buyer = '{}' where invoice_id = ${id}`,
    `delete from invoice_snapshots where invoice_id = ${id}`,
    'truncate invoice_snapshots',
    `update invoice_lines set cost = 0, price = 0 where invoice_id = ${id}`,
    `delete from invoice_lines where invoice_id = ${id}`,
    'truncate invoice_lines',
    'truncate invoice_documents',
    `insert into invoice_lines (invoice_id, place, user_id, description, quantity, cost, price)
       values (${id}, 2, '${customer.user_id}', '{}', 1, 100, 100)`,
  ])
    await refused(statement)
  await owner.end()
  // The application has no such rights to begin with.
  await expect(app.pool.query('update invoice_counters set year = 1')).rejects.toThrow(
    /row-level|violates|denied/,
  )
  await expect(app.pool.query('update invoices set total = 1')).rejects.toThrow(/denied/)
  await expect(app.pool.query('delete from invoices')).rejects.toThrow(/denied/)
})

it("rule 3: a credit note cannot refer to another customer's invoice", async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const transaction_id = randomUUID()
  await issuedInvoice(app, one.user_id, { transaction_id })
  const refund = { user_id: other.user_id, transaction_id, refund_transaction_id: randomUUID() }
  expect(
    await transaction(app, { userId: other.user_id }, (tx) => creditNote(app, tx, refund)),
  ).toBeUndefined()
})

it('P-04 keeps the invoices of a deleted account for eight years, without the profile, and then lets them go', async () => {
  const customer = await signedInCustomer(test)
  await customer.api.call(updateProfile, { body: { name: 'Unforgettable', country: 'DE' } })
  const recent = await issuedInvoice(app, customer.user_id)
  const year = new Date().getUTCFullYear() - 8
  const old = await issuedInvoice(app, customer.user_id, {
    issued_at: new Date(`${year - 1}-12-31T22:59:00Z`),
  })
  const kept = await issuedInvoice(app, customer.user_id, { issued_at: new Date(`${year}-01-01T00:00:00Z`) })
  expect([old.number, kept.number]).toEqual([`HD-${year - 1}-000001`, `HD-${year}-000001`])
  expect((await customer.api.call(deactivate, { body: {} })).status).toBe(204)
  const namesLeft = async () => {
    const { rows } = await app.pool.query<{ number: string }>(
      `select number from invoices i join invoice_snapshots s on s.invoice_id = i.id
       where i.user_id = $1 and s.buyer->>'name' = 'Unforgettable' order by i.id`,
      [customer.user_id],
    )
    return rows.map(({ number }) => number)
  }
  expect(await namesLeft()).toEqual([recent.number, old.number, kept.number])
  await must(jobs.find(({ name }) => name === 'erase_outdated_invoices')).run(app, undefined, '')
  expect(await namesLeft()).toEqual([recent.number, kept.number])
  const { rows } = await app.pool.query(
    `select net, (select count(*)::int from invoice_lines where invoice_id = id) as lines from invoices where number = $1`,
    [old.number],
  )
  expect(rows).toEqual([{ net: 1_990n, lines: 0 }])
})

it('rule 62: keeps a document as long as the law of the seller, and of the one-stop shop, wants it', async () => {
  const customer = await signedInCustomer(test)
  const keptFrom = async (country: string, issued_at: Date): Promise<string> => {
    const { country: seller } = app.config.company
    Object.assign(app.config.company, { country })
    const { id } = await issuedInvoice(app, customer.user_id, { issued_at }).finally(() =>
      Object.assign(app.config.company, { country: seller }),
    )
    const { rows } = await app.pool.query<{ day: string }>(
      'select keep_until::text as day from invoices where id = $1',
      [id],
    )
    return must(rows[0]).day
  }
  const day = new Date('2024-03-01T12:00:00Z')
  expect(await keptFrom('DE', day)).toBe('2032-12-31')
  await customer.api.call(updateProfile, { body: { country: 'FI' } })
  // By the one-stop shop, from Germany and from Austria.
  expect([await keptFrom('DE', day), await keptFrom('AT', day)]).toEqual(['2034-12-31', '2034-12-31'])
  expect(await keptFrom('FI', day), 'a state that is not in the table').toBe('2034-12-31')
  await customer.api.call(updateProfile, { body: { country: 'AT' } })
  expect(await keptFrom('AT', day)).toBe('2031-12-31')
})

it('mails the customer in their language, and notifies the open pages', async () => {
  const customer = await signedInCustomer(test, { locale: 'de' })
  const events = await openEvents(test.url, must(customer.api.access_token))
  const { number, public_id } = await issuedInvoice(app, customer.user_id)
  // The test mails by itself: MAKE_DOCUMENTS mails after its turn in the queue, and MAIL_INVOICE a minute after the issue.
  await mailInvoice(app, customer.user_id, public_id)
  const mail = await test.mails.next(customer.email)
  expect(mail.subject).toBe(`Rechnung ${number}`)
  expect(mail.text).toContain('23,68\u00A0€')
  expect(mail.text).toContain(`http://localhost:3000/account/invoices/${public_id}`)
  const event = await events.until(({ type }) => type === 'invoice.created')
  expect(event.data).toMatchObject({ id: public_id })
  events.close()
  await events.ended()
})

describe('rule 62: a small business', () => {
  const at = new Date('2026-11-21T12:00:00Z')
  const small = {
    country: 'DE',
    vatRates: new Map<string, bigint>(),
    isSmallBusiness: true,
    taxesConsumersAtHome: true,
  }
  const decide = (country: string, vat_id: string, seller: typeof small) => {
    const { kind, rate_bp, country: taxed } = decideVat(seller, { country, vat_id }, at, confirmedAt(at))
    return [kind, rate_bp, taxed]
  }

  it('charges no VAT at home and to consumers elsewhere in the EU; the rules of other places stay', () => {
    expect(decide('DE', '', small)).toEqual(['small_business', 0n, 'DE'])
    expect(decide('', '', small)).toEqual(['small_business', 0n, 'DE'])
    expect(decide('DE', 'DE123456789', small)).toEqual(['small_business', 0n, 'DE'])
    expect(decide('FR', '', small)).toEqual(['small_business', 0n, 'DE'])
    expect(decide('FR', 'FRXX123456789', small)).toEqual(['reverse_charge', 0n, 'FR'])
    // Above the threshold: the scheme of its state reaches nobody elsewhere.
    expect(decide('FR', '', { ...small, taxesConsumersAtHome: false })).toEqual(['oss', 2000n, 'FR'])
    expect(decide('US', '', small)).toEqual(['outside_eu', 0n, 'US'])
    const french = { ...small, country: 'FR' }
    expect(decide('RE', '', french)).toEqual(['small_business', 0n, 'FR'])
    expect(decide('YT', '', french)).toEqual(['outside_eu', 0n, 'YT'])
  })

  it('sells to consumers as such: with a VAT id at home the customer is none', () => {
    const isConsumer = (country: string, vat_id = '') =>
      isConsumerInTheEu(decideVat(small, { country, vat_id }, at))
    expect([isConsumer('DE'), isConsumer('FR'), isConsumer('DE', 'DE123456789')]).toEqual([true, true, false])
  })

  it('is one for the days that the setting names, by the day of the sale; what was issued before keeps its VAT', async () => {
    const { user_id } = await signedInCustomer(test)
    const today = dayIn(at, app.config.timeZone)
    const withTimes = async <Result>(times: string, work: () => Promise<Result>): Promise<Result> => {
      const { company } = loadConfig({ SMALL_BUSINESS: times, DATA_DIR: app.config.dataDir })
      const before = app.config.company.smallBusiness
      Object.assign(app.config.company, { smallBusiness: company.smallBusiness })
      return work().finally(() => Object.assign(app.config.company, { smallBusiness: before }))
    }
    const sale = { user_id, country: 'DE', zip: '', city: '', vat_id: '', sold_at: at, evidence: {} }
    const kindOf = async () => (await vatOfSale(app, app.db, sale)).kind
    const dayBefore = new Date(at.getTime() - 86_400_000).toISOString().slice(0, 10)
    expect(await withTimes(`${today}..`, kindOf)).toBe('small_business')
    expect(await withTimes(`2020-01-01..${today}`, kindOf)).toBe('small_business')
    expect(await withTimes(`2020-01-01..${dayBefore}`, kindOf)).toBe('standard')
    expect(await withTimes('2999-01-01..', kindOf)).toBe('standard')
    const exempt = await withTimes('2020-01-01..', () => issuedInvoice(app, user_id))
    expect(exempt).toMatchObject({ vat_kind: 'small_business', net: 1_990n, vat: 0n, total: 1_990n })
    expect(exempt.notes[0]).toMatchObject({ code: 'small_business', params: { law: '§ 19 UStG' } })
    // The standing has ended: what is given back of that invoice has no VAT either.
    const note = await transaction(app, { userId: user_id }, async (tx) => {
      const paid = { user_id, transaction_id: exempt.transaction_id }
      const prepared = must(
        await creditNote(app, tx, { ...paid, amount: 990n, refund_transaction_id: randomUUID() }),
      )
      return prepared.issue()
    })
    expect(note).toMatchObject({ vat_kind: 'small_business', net: 990n, vat: 0n })
    expect(note.notes).toContainEqual(exempt.notes[0])
    expect(await issuedInvoice(app, user_id)).toMatchObject({ vat_kind: 'standard', vat: 378n })
  })

  it('a start refuses what no law knows, and warns of a seller without a VAT id', () => {
    const load = (settings: object) =>
      loadConfig({ COMPANY_NAME: 'A', DATA_DIR: app.config.dataDir, ...settings })
    const swiss = { COMPANY_COUNTRY: 'CH', VAT_RATES: 'CH=8.1' }
    expect(() => load({ ...swiss, SMALL_BUSINESS: '2026-01-01..' })).toThrow('SMALL_BUSINESS is known for')
    for (const SMALL_BUSINESS of [
      'yes',
      '2026-01-01',
      '2026-02-30..',
      '2026-02-01..2026-01-01',
      '2025-01-01..,2026-01-01..',
      '2025-01-01..2025-06-30,2025-06-30..',
    ])
      expect(() => load({ SMALL_BUSINESS }), SMALL_BUSINESS).toThrow('SMALL_BUSINESS is no list of times')
    const { company } = load({ SMALL_BUSINESS: '2024-01-01..2025-06-30, 2026-01-01..' })
    expect(company.smallBusiness).toEqual([
      { from: '2024-01-01', until: '2025-06-30' },
      { from: '2026-01-01', until: undefined },
    ])
    const line = expect.stringContaining('COMPANY_VAT_ID is missing')
    expect(load({}).warnings).toContainEqual(line)
    expect(load({ COMPANY_VAT_ID: 'DE123456789' }).warnings).not.toContainEqual(line)
    expect(load(swiss).warnings).not.toContainEqual(line)
  })
})
