import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { checkJson, checkPdf } from '#clients/verify-statement/verify-statement.mjs'
import { move, addMoney } from '#tests/harness/money.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { deactivate } from '#features/profile/contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import * as contract from '#features/statements/contract.ts'
import { listStatementKeys, listStatementRoots } from '#features/statements/published.ts'
import { signedStatement } from '#features/statements/shapes.ts'
import { checkFile, type Trust } from '#features/statements/web/verify.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { issueStatements } from './issue.ts'
import { rotateKey, signatureOf, signer, withdrawKey } from './keys.ts'
import { rootMessage } from './message.ts'

const test = await startTestApp({
  settings: { COMPANY_TIME_ZONE: 'Europe/Berlin', RATE_LIMIT_SCALE: '1000' },
})
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const [anna, boris, clara] = [
  await signedInCustomer(test),
  await signedInCustomer(test),
  await signedInCustomer(test),
]
const SEPTEMBER = '2025-09-12T10:00:00Z'
const OCTOBER = '2025-10-12T10:00:00Z'

/** Lets what was just booked for a customer have been booked at a time, as only a test may. */
async function bookedAt({ user_id }: Customer, at: string): Promise<void> {
  await superuser.query('begin; set local session_replication_role = replica')
  await superuser.query(
    'update entries set created_at = $2 where created_at > $3 and transaction_id in (select transaction_id from entries where user_id = $1)',
    [user_id, at, '2026-01-01'],
  )
  await superuser.query('update invoices set issued_at = $2 where issued_at > $3 and user_id = $1', [
    user_id,
    at,
    '2026-01-01',
  ])
  await superuser.query('commit')
}

async function book(customer: Customer, amount: bigint, at: string): Promise<void> {
  await addMoney(app, customer.user_id, amount)
  await bookedAt(customer, at)
}

async function bytesAt(path: string, { api }: Pick<Customer, 'api'> = anna): Promise<Buffer> {
  const headers = { authorization: `Bearer ${api.access_token}`, 'x-requested-with': 'XMLHttpRequest' }
  const response = await fetch(new URL(path, test.url), { headers })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}
const fileOf = (customer: Customer, month: string, format: 'json' | 'pdf' = 'json'): Promise<Buffer> =>
  bytesAt(`/api/finances/signed-statements/${month}/statement.${format}`, customer)
const listed = async ({ api }: Customer) =>
  bodyOf(await api.call(contract.listSignedStatements, { query: {} }), 200).items
const keys = async () => bodyOf(await test.client().call(listStatementKeys, {}), 200)
const trust = async (): Promise<Trust> => ({
  ...(await keys()),
  months: bodyOf(await test.client().call(listStatementRoots, {}), 200).months,
})
const issue = (at: string) => issueStatements(app, new Date(at))

it('a month is issued on the 1st, once, to the same bytes after it was killed', async () => {
  await book(anna, 50_00n, SEPTEMBER)
  await book(boris, 20_00n, SEPTEMBER)
  await book(clara, 5_00n, SEPTEMBER)
  const { public_id } = await issuedInvoice(app, anna.user_id, {
    issued_at: new Date('2025-09-20T10:00:00Z'),
  })
  await move(app, {
    type: 'fill_balance_voucher',
    user_id: anna.user_id,
    amount: 2_50n,
    description: { code: 'voucher', params: {} },
  })
  await bookedAt(anna, SEPTEMBER)
  await issue('2025-09-30T22:30:00Z')
  expect(await listed(anna), 'in Berlin the month is over for half an hour').toEqual([])

  await superuser.query(`create function fail() returns trigger language plpgsql as $$ begin
    if (select count(*) from statements) = 2 then raise 'killed'; end if; return new; end $$;
    create trigger killed before insert on statements for each row execute function fail()`)
  await expect(issue('2025-10-01T06:00:00Z')).rejects.toThrow('killed')
  expect((await Promise.all([anna, boris, clara].map(listed))).flat()).toEqual([])
  await superuser.query('drop trigger killed on statements')
  await Promise.all([issue('2025-10-01T06:00:00Z'), issue('2025-10-01T06:00:00Z')])
  const files = await Promise.all([anna, boris, clara].map((one) => fileOf(one, '2025-09')))

  await superuser.query('begin; set local session_replication_role = replica')
  await superuser.query('delete from statements; delete from statement_months; commit')
  await issue('2025-10-01T06:00:00Z')
  expect(await Promise.all([anna, boris, clara].map((one) => fileOf(one, '2025-09')))).toEqual(files)
  const { statement } = signedStatement.parse(JSON.parse(String(files[0])))
  const pdf = await bytesAt(`/api/invoices/${public_id}/pdf`)
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  expect(statement).toMatchObject({
    month: '2025-09',
    opening: '0',
    closing: '5250',
    closing_gift: '250',
    entries: [
      { number: 1, amount: '5000', balance: '5000' },
      { number: 2, amount: '250', balance: '5250' },
    ],
    documents: [{ kind: 'invoice', files: expect.arrayContaining([{ format: 'pdf', version: 1, sha256 }]) }],
    previous: null,
  })
})

it('what is booked late is in the next statement, which names the one before', async () => {
  const before = await fileOf(anna, '2025-09')
  await book(anna, 1_00n, SEPTEMBER)
  await book(anna, 7_00n, OCTOBER)
  await issue('2025-11-01T06:00:00Z')
  await issue('2025-12-01T06:00:00Z')
  expect(await fileOf(anna, '2025-09')).toEqual(before)
  const [october, september] = await listed(anna)
  expect([october, september]).toMatchObject([
    { month: '2025-10', entries: 2, opening: { amount: '5250' }, closing: { amount: '6050' } },
    { month: '2025-09', entries: 2 },
  ])
  const { statement } = signedStatement.parse(JSON.parse(String(await fileOf(anna, '2025-10'))))
  expect(statement.previous).toEqual({ month: '2025-09', sha256: september?.sha256 })
  expect(await listed(boris), 'nothing was booked in October').toHaveLength(1)
  const { months } = await trust()
  expect(months.map(({ month }) => month)).toEqual(['2025-11', '2025-10', '2025-09'])
})

it('each of 200 changed bytes is refused, in the browser and offline', async () => {
  const given = await trust()
  const offline = { ...given, keys: [...given.keys], months: [...given.months] }
  for (const format of ['json', 'pdf'] as const) {
    const file = await fileOf(anna, '2025-10', format)
    const check = format === 'pdf' ? checkPdf : checkJson
    expect(check(file, offline)).toMatchObject({ statement: { month: '2025-10' }, underRoot: true })
    expect(await checkFile(new Uint8Array(file), given)).toMatchObject({
      statement: { holder: expect.any(String) },
    })
    // The head, whose members are not all signed, byte for byte; and 100 places all over the file.
    const head = format === 'json' ? file.indexOf('"statement"') : 0
    for (let count = -head; count < 100; count += 1) {
      const changed = Buffer.from(file)
      const at = count < 0 ? head + count : Math.floor((count + Math.random()) * (file.length / 100))
      changed[at] = (must(changed[at]) + 1 + Math.floor(Math.random() * 255)) % 256
      expect(() => check(changed, offline), `${format} byte ${at} is ${changed[at]}`).toThrow()
      expect(await checkFile(new Uint8Array(changed), given), `${format} byte ${at}`).toHaveProperty('reason')
    }
    const longer = Buffer.concat([file, Buffer.from('\n')])
    expect(() => check(longer, offline)).toThrow()
    expect(await checkFile(new Uint8Array(longer), given)).toEqual({ reason: 'changed' })
  }
  // The attack is a statement that the installation signs later, beside those that it told of when the month was over.
  const root = 'a'.repeat(64)
  const told = await transaction(app, 'system', async (tx) => {
    const key = await signer(app, tx)
    const message = rootMessage({ issuer: given.issuer, month: '2025-10', root })
    return { month: '2025-10', root, key: key.kid, signature: signatureOf(key, message) }
  })
  const others = { ...given, months: [told, ...given.months.filter(({ month }) => month !== told.month)] }
  const october = await fileOf(anna, '2025-10')
  expect(await checkFile(new Uint8Array(october), others)).toEqual({ reason: 'not_under_root' })
})

it('the program says of each file what is proven, and fails if one is not', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'statements-'))
  const put = (name: string, bytes: Uint8Array | string) => writeFileSync(path.join(folder, name), bytes)
  put('statement-keys.json', JSON.stringify(await keys()))
  put('statement-roots.json', JSON.stringify(await trust()))
  put('october.pdf', await fileOf(anna, '2025-10', 'pdf'))
  put('september.json', await fileOf(anna, '2025-09'))
  const [invoice] = bodyOf(await anna.api.call(listInvoices, { query: {} }), 200).items
  put('invoice.pdf', await bytesAt(`/api/invoices/${must(invoice).id}/pdf`))
  put('other.pdf', '%PDF-1.7 other')
  put('verify.mjs', await bytesAt('/.well-known/verify-statement.mjs'))
  const run = (...files: string[]) =>
    spawnSync(process.execPath, ['verify.mjs', ...files], { cwd: folder, encoding: 'utf8' })
  const { status, stdout: said } = run('october.pdf', 'september.json', 'invoice.pdf')
  expect(status).toBe(0)
  expect(said).toMatch(/october.pdf: GENUINE: 2025-10 .* follows 2025-09; root published/)
  expect(said).toMatch(/september.json: GENUINE: .* the first; root published/)
  expect(said).toContain(`invoice.pdf: GENUINE: ${must(invoice).number}`)
  const bad = run('september.json', 'other.pdf')
  expect([bad.status, bad.stdout]).toEqual([1, expect.stringMatching(/other.pdf: REFUSED/)])
})

it('a key that was rotated stays published; what a stolen one signed counts under a root that another signed', async () => {
  const first = must((await keys()).keys[0])
  await rotateKey(app)
  const september = await fileOf(anna, '2025-09')
  expect((await keys()).keys).toMatchObject([{ kid: first.kid, withdrawn_at: null }, { retired_at: null }])
  expect(checkJson(september, { ...(await keys()), months: undefined }).underRoot).toBe(false)
  expect(await withdrawKey(app, first.kid)).toBe(true)
  expect(await withdrawKey(app, first.kid)).toBe(false)
  const known = await trust()
  expect(() => checkJson(september, { ...known, keys: [...known.keys], months: undefined })).toThrow(
    /withdrawn/,
  )
  expect(checkJson(september, { ...known, keys: [...known.keys], months: [...known.months] }).underRoot).toBe(
    true,
  )
  expect(await checkFile(new Uint8Array(september), known)).toHaveProperty('hash')
  const forged = { ...known, months: known.months.filter(({ month }) => month !== '2025-09') }
  expect(await checkFile(new Uint8Array(september), forged)).toEqual({ reason: 'withdrawn' })
})

it('staff read them, nobody else does, and they go with the account, which leaves the proofs of others', async () => {
  const billing = await signedInStaff(test, { roles: ['billing'] })
  const at = `/api/staff/customers/${boris.user_id}/signed-statements/`
  expect((await billing.api.get(at)).body).toMatchObject({ items: [{ month: '2025-09' }] })
  expect(await bytesAt(`${at}2025-09/statement.json`, billing)).toEqual(await fileOf(boris, '2025-09'))
  expect((await bytesAt(`${at}2025-09/statement.pdf`, billing)).length).toBeGreaterThan(10_000)
  expect((await clara.api.get('/api/finances/signed-statements/2025-10/statement.json')).status).toBe(404)
  await expect(
    superuser.query("update statements set body = 'x' where signature is not null"),
  ).rejects.toThrow('cannot be changed')
  expect(
    (await clara.api.call(deactivate, { body: { forfeit: { amount: '500', currency: 'EUR' } } })).status,
  ).toBe(204)
  const left = async ({ user_id }: Customer) =>
    (await superuser.query('select 1 from statements where user_id = $1', [user_id])).rows
  expect(await left(clara)).toEqual([])
  // An account that is deleted after a month and before its statement gets none.
  const dora = await signedInCustomer(test)
  await book(dora, 5_00n, '2026-01-12T10:00:00Z')
  expect(
    (await dora.api.call(deactivate, { body: { forfeit: { amount: '500', currency: 'EUR' } } })).status,
  ).toBe(204)
  await issue('2026-02-01T06:00:00Z')
  expect((await trust()).months[0]?.month).toBe('2026-01')
  expect(await left(dora)).toEqual([])
  const file = await fileOf(boris, '2025-09')
  expect(await checkFile(new Uint8Array(file), await trust())).toHaveProperty('hash')
})
