import { randomUUID } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import * as contract from '#features/banking/contract.ts'
import { must } from '#foundation/must.ts'
import { announceTransfer } from '#tests/harness/announced-transfer.ts'
import { bankStatement, OUR_IBAN, type WrittenPayment } from '#tests/harness/bank-statement.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { sendStatement } from '#tests/harness/send-statement.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { rereadFiles } from './reread.ts'

// The files that banks send: what is taken of them, what is set aside, and what is known again.

const test = await startTestApp()
const { app } = test
const staff = await signedInStaff(test)
const inOrder = (replies: readonly { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other)

let statements = 0
const write = (...payments: WrittenPayment[]) => bankStatement(payments, { id: `S-${(statements += 1)}` })
const lines = async (
  query: Parameters<typeof staff.api.call<typeof contract.listBankLines>>[1]['query'] = {},
) => bodyOf(await staff.api.call(contract.listBankLines, { query }), 200)

/** A statement as some banks write it, whose entries bear the reference `ref`, however often it was used before. */
const nonref = (
  day: string,
  name: string,
  text: string,
  { ref = 'NONREF', form = 'camt.053', times = 1 } = {},
) => {
  const [kind, report] = form === 'camt.053' ? ['Stmt', 'BkToCstmrStmt'] : ['Rpt', 'BkToCstmrAcctRpt']
  const entry = `<Ntry><Amt Ccy="EUR">50.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>
    <ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${ref}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
    <AmtDtls><TxAmt><Amt Ccy="EUR">50.00</Amt></TxAmt></AmtDtls><RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties>
    <RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${form}.001.02"><${report}><${kind}><Id>${day}</Id>
    <Acct><Id><IBAN>${OUR_IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>${entry.repeat(times)}</${kind}></${report}></Document>`
}

it.each(['NONREF', 'NOTPROVIDED', '0', '20261124', 'STARTUMSE'])(
  'nonref-day1, nonref-day2, rule 53: payments that share the reference %s, their day, their name or their text, are each there',
  async (ref) => {
    const others = [
      ['2026-11-24', `One ${ref}`, `First ${ref}`],
      ['2026-11-25', `One ${ref}`, `First ${ref}`],
      ['2026-11-25', `Two ${ref}`, `First ${ref}`],
      ['2026-11-25', `Two ${ref}`, `Second ${ref}`],
    ] as const
    for (const [day, name, text] of others)
      expect((await sendStatement(staff.api, nonref(day, name, text, { ref }))).body).toMatchObject({
        counts: { unknown: 1, known: 0 },
      })
    // As often as a statement has it, and no more often when another form of the day has it again.
    const [day, name, text] = ['2026-11-26', `Twin ${ref}`, `Twins ${ref}`] as const
    const send = async (form: string, times: number) =>
      (await sendStatement(staff.api, nonref(day, name, text, { ref, form, times }))).body.counts
    expect(await send('camt.052', 2)).toMatchObject({ unknown: 2, known: 0 })
    expect(await send('camt.053', 2)).toMatchObject({ unknown: 0, known: 2 })
    expect(await send('camt.053', 3)).toMatchObject({ unknown: 1, known: 2 })
  },
)
const oddParts = async (state: 'open' | 'done' = 'open') =>
  bodyOf(await staff.api.call(contract.listBankOddParts, { query: { state, limit: '100' } }), 200)

it('rule 51: what is not certain in a file is on a list, once, and is marked as done; the rest of the file is taken', async () => {
  const before = await oddParts()
  const good = { amount: 321, text: 'beside the odd one' }
  const xml = write(good, { amount: 654, text: 'odd one', day: '2026-02-30' }, { ...good, status: 'PDNG' })
  const sent = await sendStatement(staff.api, xml)
  expect(sent).toMatchObject({ status: 201, body: { counts: { unknown: 1 }, odd: 1, pending: 1 } })
  expect(await sendStatement(staff.api, xml)).toMatchObject({ status: 200, body: { odd: 0 } })
  // The same entry in another statement is the same one.
  const again = await sendStatement(staff.api, write({ amount: 654, text: 'odd one', day: '2026-02-30' }))
  expect(again.body).toMatchObject({ odd: 0 })
  const list = await oddParts()
  expect(list.open).toBe(before.open + 1)
  const [part] = list.items
  expect(part).toMatchObject({
    kind: 'entry',
    reason: 'day_unclear',
    place: 2,
    file_name: 'statement.xml',
    state: 'open',
  })
  expect(part?.shown).toContain('odd one')
  const params = { partId: must(part).id }
  const finish = () => staff.api.call(contract.finishBankOddPart, { params })
  expect(inOrder(await Promise.all([finish(), finish(), finish()]))).toEqual([200, 409, 409])
  expect((await oddParts('done')).items).toContainEqual({ ...must(part), state: 'done' })
  expect((await staff.api.call(contract.reopenBankOddPart, { params })).status).toBe(200)
  expect((await staff.api.call(contract.reopenBankOddPart, { params })).status).toBe(409)
  const nobody = { params: { partId: randomUUID() } }
  expect((await staff.api.call(contract.finishBankOddPart, nobody)).status).toBe(404)
  const acts = `select act from audit where detail ->> 'odd_part_id' = $1 order by id`
  expect(await asOwner(test, acts, [params.partId])).toEqual([
    { act: 'bank.odd_done' },
    { act: 'bank.odd_reopened' },
  ])
})

it('rule 53: what a worse reader dropped is there after its file is imported or read again, once', async () => {
  const xml = write({ amount: 432, text: 'dropped before' }, { amount: 543, text: 'there before' })
  await sendStatement(staff.api, xml)
  // As a reader leaves it that takes a payment for one of another day.
  const owner = await superuserOf(test)
  const drop = async (table: string, where: string) => {
    await owner.query('set session_replication_role = replica')
    await owner.query(`delete from ${table} where ${where}`)
    await owner.query('set session_replication_role = origin')
  }
  const isDropped = `text = 'dropped before'`
  await drop('bank_lines', isDropped)
  expect(await sendStatement(staff.api, xml)).toMatchObject({
    status: 201,
    body: { counts: { unknown: 1, known: 1 } },
  })
  expect((await lines({ q: 'dropped before' })).items).toHaveLength(1)
  await drop('bank_lines', isDropped)
  const addedBy = async () => {
    const files = await rereadFiles(app)
    return files.reduce((sum, { added }) => sum + (added?.counts.unknown ?? 0), 0)
  }
  expect(await addedBy()).toBe(1)
  expect(await addedBy()).toBe(0)
  await owner.end()
})

it('the pages of a statement have equal payments each, and what stands on two pages is two', async () => {
  const page = (number: number) =>
    bankStatement([{ amount: 888, text: 'on each page' }], { id: 'PAGES' }).replace(
      '</Id><FrToDt>',
      `</Id><StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${number === 2}</LastPgInd></StmtPgntn><FrToDt>`,
    )
  for (const number of [1, 2])
    expect((await sendStatement(staff.api, page(number))).body).toMatchObject({
      counts: { unknown: 1, known: 0 },
    })
  expect((await sendStatement(staff.api, `${page(2)}\n`)).body).toMatchObject({
    counts: { unknown: 0, known: 1 },
  })
})

it('rule 51: the statements of a ZIP are taken whatever else is in it', async () => {
  const xml = strToU8(write({ amount: 611, text: 'Zip, nested' }))
  const locked = zipSync({ 'locked.xml': [xml, { level: 0 }] })
  // The flag of an encrypted file, in its own header and in the list at the end.
  for (const [at, byte] of locked.entries())
    if (byte === 0x50 && locked[at + 1] === 0x4b) locked[at + (locked[at + 2] === 1 ? 8 : 6)] = 1
  const zip = zipSync({
    'year/2026/a.xml': xml,
    '__MACOSX/year/2026/._a.xml': strToU8('resource fork'),
    'year/readme.txt': strToU8('Your statements'),
    'year/payments.csv': strToU8('Datum;Betrag\n20.11.2026;5,00'),
    'inner.zip': zipSync({ 'a.xml': xml }),
  })
  expect(await sendStatement(staff.api, zip)).toMatchObject({
    status: 201,
    body: { counts: { unknown: 1 }, odd: 3 },
  })
  const reasons = (await oddParts()).items
    .slice(0, 3)
    .map(({ kind, reason, source }) => [kind, source, reason])
  expect(new Set(reasons.map(String))).toEqual(
    new Set([
      'file,year/readme.txt,unreadable_file',
      'file,year/payments.csv,csv_needs_form',
      'file,inner.zip,unreadable_file',
    ]),
  )
  expect(await sendStatement(staff.api, locked)).toMatchObject({
    body: refusal(400, 'encrypted_file', 'file'),
  })
})

it('a ZIP of statements is imported; a ZIP that unpacks to 60 MB, holds no file or is cut off is refused', async () => {
  const files = Object.fromEntries(
    ['Zip one', 'Zip two'].map((text) => [`${text}.xml`, strToU8(write({ amount: 600, text }))]),
  )
  expect((await sendStatement(staff.api, zipSync(files))).body).toMatchObject({
    files: [{}, {}],
    counts: { unknown: 2 },
  })
  const bomb = zipSync({ 'bomb.xml': new Uint8Array(60_000_000) })
  for (const bad of [bomb, zipSync({ 'folder/': new Uint8Array(0) }), bomb.slice(0, 300)])
    expect(await sendStatement(staff.api, bad)).toMatchObject({
      status: 400,
      body: refusal(400, 'unreadable_file', 'file'),
    })
})

it('a CSV statement is previewed without being stored, and imported in the form saved for its bank', async () => {
  const customer = await signedInCustomer(test)
  const { reference } = await announceTransfer(customer)
  const form = {
    delimiter: ';',
    encoding: 'windows-1252',
    date_form: 'dd.mm.yyyy',
    decimal: ',',
    date: 'Tag',
    amount: 'Betrag',
    currency: '',
    payer: 'Zahler',
    iban: '',
    text: 'Zweck',
  } as const
  const csv = Buffer.from(
    `Tag;Zahler;Zweck;Betrag\n20.11.2026;J\u{fc}rgen;${reference};25,00\n20.11.2026;Csv;Danke;5,00\n`,
    'latin1',
  )
  const query = new URLSearchParams({ form: JSON.stringify(form) }).toString()
  expect(await sendStatement(staff.api, csv, `bank-files/preview/?${query}`)).toMatchObject({
    status: 200,
    body: { lines: 2, odd: 0, pending: 0, first: [{ name: 'Jürgen', amount: { amount: '2500' } }, {}] },
  })
  expect((await lines({ q: 'Jürgen' })).items).toEqual([])
  const save = (body: object) =>
    staff.api.call(contract.addBankProfile, { body: { name: 'Sparkasse', form: { ...form, ...body } } })
  await save({ date: 'Datum' })
  const { id } = bodyOf(await save({}), 201)
  const { items } = bodyOf(await staff.api.call(contract.listBankProfiles, {}), 200)
  expect(items).toMatchObject([{ id, name: 'Sparkasse', form }])
  expect(await sendStatement(staff.api, csv, `bank-files/?profile=${id}`)).toMatchObject({
    status: 201,
    body: { counts: { exact: 1, unknown: 1 } },
  })
  expect(await sendStatement(staff.api, csv, `bank-files/?profile=${randomUUID()}`)).toMatchObject({
    body: refusal(400, 'unknown_profile', 'profile'),
  })
  expect(await sendStatement(staff.api, csv)).toMatchObject({ body: refusal(400, 'unreadable_file', 'file') })
})

it('soll-haben, comdirect-offen: what a CSV file leaves open is asked, and no money that went out is booked to a customer', async () => {
  const customer = await signedInCustomer(test)
  const [left, came] = [await announceTransfer(customer, 1337), await announceTransfer(customer, 2000)]
  const csv = [
    '"Buchungstag";"Empfaenger";"Verwendungszweck";"Waehrung";"Betrag";" "',
    `"25.11.2026";"Lieferant";"Erstattung ${left.reference}";"EUR";"13,37";"S"`,
    `"25.11.2026";"Kunde";"${came.reference}";"EUR";"20,00";"H"`,
    '"offen";"Kunde";"Morgen";"EUR";"9,00";"H"',
    '"25.11.2026";"Kunde";"Fremd";"USD";"8,00";"H"',
  ].join('\r\n')
  const inspect = (content: string) => sendStatement(staff.api, content, 'bank-files/inspection/')
  const { status, body } = await inspect(csv)
  const { form, asked, columns } = body as unknown as contract.CsvInspection
  expect([status, asked, columns.length]).toEqual([200, [], 6])
  expect(form).toMatchObject({ date: 'Buchungstag', amount: 'Betrag', direction: '#6', currency: 'Waehrung' })
  expect(await inspect('no table')).toMatchObject({
    status: 400,
    body: refusal(400, 'unreadable_file', 'file'),
  })
  const importedBy = async (changes: object) => {
    const profile = { name: 'Soll and Haben', form: { ...form, ...changes } }
    const { id } = bodyOf(await staff.api.call(contract.addBankProfile, { body: profile }), 201)
    return sendStatement(staff.api, csv, `bank-files/?profile=${id}`)
  }
  // A profile that does not name the column of the direction.
  expect(await importedBy({ direction: '' })).toMatchObject({
    status: 400,
    body: refusal(400, 'direction_unclear', 'file'),
  })
  expect((await lines({ q: 'Erstattung' })).items).toEqual([])
  expect(await importedBy({})).toMatchObject({
    status: 201,
    body: { counts: { exact: 1, unknown: 1 }, odd: 1, pending: 1 },
  })
  expect((await lines({ q: 'Erstattung' })).items).toMatchObject([
    { amount: { amount: '-1337' }, match: 'unknown' },
  ])
  expect((await oddParts()).items[0]).toMatchObject({ kind: 'row', reason: 'wrong_currency', place: 5 })
  // The same file says the same again.
  expect(await importedBy({})).toMatchObject({
    status: 200,
    body: { counts: { known: 2 }, odd: 0, pending: 1 },
  })
})
