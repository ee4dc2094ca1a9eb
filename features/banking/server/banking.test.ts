import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { decideApproval, listApprovals } from '#features/approvals/contract.ts'
import * as contract from '#features/banking/contract.ts'
import { rejectTransfer } from '#features/customers/contract.ts'
import { cancelTransfer, confirmTopUp, listTransactions } from '#features/finance/contract.ts'
import { checkLedger } from '#features/finance/server/check.ts'
import { balanceOf, payingCountries } from '#features/finance/server/finance.ts'
import { updateProfileFields } from '#features/profile/server/profile.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import { announceTransfer } from '#tests/harness/announced-transfer.ts'
import { bankStatement, OUR_IBAN, type WrittenPayment } from '#tests/harness/bank-statement.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { sendStatement } from '#tests/harness/send-statement.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { bookExact } from './book-exact.ts'

const inOrder = (replies: readonly { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other)

const test = await startTestApp()
const { app } = test
const staff = await signedInStaff(test)
const anna = await signedInCustomer(test)
const key = () => ({ 'idempotency-key': randomUUID() })
const origin = { by: staff.user_id, ip: '127.0.0.1', user_agent: 'tests', request_id: 'r' }

let statements = 0
const write = (...payments: WrittenPayment[]) => bankStatement(payments, { id: `S-${(statements += 1)}` })
const imported = async (...payments: WrittenPayment[]) => {
  const { status, body } = await sendStatement(staff.api, write(...payments))
  expect(status).toBe(201)
  return body.counts
}

const lines = async (
  query: Parameters<typeof staff.api.call<typeof contract.listBankLines>>[1]['query'] = {},
) => bodyOf(await staff.api.call(contract.listBankLines, { query }), 200)
const lineWith = async (q: string, state: 'open' | 'booked' | 'ignored' = 'open') =>
  must((await lines({ q, state })).items[0])
const assign = (lineId: string, customer: Customer, top_up?: string, by = staff) =>
  by.api.call(contract.assignBankLine, {
    params: { lineId },
    headers: key(),
    body: { user_id: customer.user_id, reason: 'By phone', ...(top_up === undefined ? {} : { top_up }) },
  })
const balance = (customer: Customer) => balanceOf(app, app.db, customer.user_id)
const fresh = () => signedInCustomer(test)

it('B-01 reads each payment as far as the statement itself says, and guesses nothing', async () => {
  const [one, two, three] = [
    await announceTransfer(anna),
    await announceTransfer(anna, 1000),
    await announceTransfer(anna, 3000),
  ]
  const counts = await imported(
    { amount: 2500, text: `rechnung ${one.reference.replaceAll('-', ' ').toLowerCase()}` },
    { amount: 900, text: two.reference },
    {
      amount: 3000,
      text: three.reference.replace(/\d$/, (digit: string) => String((Number(digit) + 1) % 10)),
      name: 'near',
    },
    { amount: 700, text: 'Thank you' },
    { amount: -400, text: 'Fee' },
  )
  expect(counts).toEqual({ exact: 1, ambiguous: 2, unknown: 2, known: 0 })
  expect(await lineWith('near')).toMatchObject({
    cause: 'near_reference',
    candidates: [{ id: three.id, customer: { id: anna.user_id } }],
  })
  expect(await lineWith(two.reference)).toMatchObject({ cause: 'amount_differs', amount: { amount: '900' } })
})

it('B-02 books each exact payment once, also in 4 runs at once, and leaves a second payment of a paid transfer to staff', async () => {
  const customer = await fresh()
  const transfer = await announceTransfer(customer)
  const [paid, again] = [await announceTransfer(customer, 4000), await announceTransfer(customer, 5000)]
  await customer.api.call(cancelTransfer, { params: { id: paid.id } })
  await imported(
    { amount: 2500, text: transfer.reference, iban: 'CH93 0076 2011 6238 5295 7' },
    { amount: 2500, text: `${transfer.reference} once more`, iban: 'AT611904300234573201' },
    // No account has this number.
    { amount: 4000, text: paid.reference, iban: 'GB00WEST12345698765432' },
    { amount: 5000, text: again.reference },
  )
  // A member of staff books one payment by hand before the job reaches it.
  const confirmed = await lineWith(again.reference)
  expect((await assign(confirmed.id, customer, again.id)).status).toBe(201)
  // A member confirms one transfer without its payment on the statement.
  const byHand = await announceTransfer(customer, 6000)
  await imported({ amount: 6000, text: byHand.reference })
  const confirming = {
    params: { userId: customer.user_id, id: byHand.id },
    headers: key(),
    body: { reason: 'Seen at the bank' },
  }
  expect((await staff.api.call(confirmTopUp, confirming)).status).toBe(201)
  await Promise.all(Array.from({ length: 4 }, () => bookExact(app, origin)))
  expect(await balance(customer)).toBe(2500n + 4000n + 5000n + 6000n)
  expect(await payingCountries(app.db, customer.user_id)).toEqual(['CH'])
  expect(await lineWith(byHand.reference)).toMatchObject({ match: 'ambiguous', cause: 'paid_before' })
  expect(await lineWith('once more')).toMatchObject({ match: 'ambiguous', cause: 'paid_before' })
  expect((await lines({ match: 'exact' })).items).toEqual([])
  expect(await lineWith(paid.reference, 'booked')).toMatchObject({ customer: { email: customer.email } })
})

it('takes each payment once: the same file, at once, and statements that overlap', async () => {
  const payments = [
    { amount: 100, text: 'overlap a' },
    { amount: 100, text: 'overlap a' },
    { amount: 200, text: 'overlap b' },
  ]
  const xml = write(...payments)
  const sent = await Promise.all(Array.from({ length: 5 }, () => sendStatement(staff.api, xml)))
  expect(inOrder(sent)).toEqual([200, 200, 200, 200, 201])
  expect(await imported(...payments, { amount: 300, text: 'overlap c' })).toEqual({
    exact: 0,
    ambiguous: 0,
    unknown: 1,
    known: 3,
  })
  expect((await lines({ q: 'overlap' })).items).toHaveLength(4)
})

it('books a payment to a customer who announced none, and takes it back from the wrong one', async () => {
  const [wrong, right] = [await fresh(), await fresh()]
  await imported({ amount: 1234, text: 'no reference here', iban: 'DE75512108001245126199' })
  const { id } = await lineWith('no reference here')
  const tries = await Promise.all(Array.from({ length: 5 }, () => assign(id, wrong)))
  expect(inOrder(tries)).toEqual([201, 409, 409, 409, 409])
  expect(await balance(wrong)).toBe(1234n)
  const newestOf = async ({ api }: Customer) =>
    (await api.call(listTransactions, { query: { limit: '1' } })).body.items[0]
  const reverse = (lineId = id) =>
    staff.api.call(contract.reverseBankLine, {
      params: { lineId },
      headers: key(),
      body: { reason: 'It was meant for another account' },
    })
  const back = await Promise.all([reverse(), reverse(), reverse()])
  expect(inOrder(back)).toEqual([201, 409, 409])
  expect(await balance(wrong)).toBe(0n)
  // The wrong customer has lost nothing to a bank, and reads that it was our mistake.
  expect(await newestOf(wrong)).toMatchObject({ description: { code: 'correction' } })
  expect((await assign(id, right)).status).toBe(201)
  expect(await balance(right)).toBe(1234n)

  // The account has paid for this customer before: its next payment without a reference suggests the customer, and is not booked.
  const transfer = await announceTransfer(right, 4321)
  await imported({ amount: 4321, text: 'known payer', iban: 'DE75512108001245126199' })
  expect(await lineWith('known payer')).toMatchObject({
    cause: 'known_payer',
    candidates: [{ id: transfer.id }],
  })

  // The bank takes the first payment back.
  await imported({ amount: -1234, text: 'returned', iban: 'DE75512108001245126199', day: '2026-11-21' })
  const returned = await lineWith('returned')
  expect(returned.cause).toBe('return')
  expect((await assign(returned.id, right)).status).toBe(201)
  expect(await balance(right)).toBe(0n)
  expect(await newestOf(right)).toMatchObject({ description: { code: 'charge_back' } })

  // The return was another customer's: undone, it waits again, and the money is back.
  expect((await reverse(returned.id)).status).toBe(201)
  expect(await newestOf(right)).toMatchObject({ description: { code: 'charge_back_undone' } })
  expect([await balance(right), (await lineWith('returned')).state]).toEqual([1234n, 'open'])
  expect((await assign(returned.id, right)).status).toBe(201)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it('puts a payment aside and opens it again, announces each change, and writes down who did it', async () => {
  const stream = await openEvents(test.url, must(staff.api.access_token))
  await imported({ amount: 55, text: 'put aside' })
  await stream.until(({ type }) => type === contract.BANK_LINES_CHANGED)
  stream.close()
  const params = { lineId: (await lineWith('put aside')).id }
  const body = { reason: 'Our own money' }
  expect((await staff.api.call(contract.ignoreBankLine, { params, body })).status).toBe(200)
  expect(await staff.api.call(contract.ignoreBankLine, { params, body })).toMatchObject({ status: 409 })
  expect((await staff.api.call(contract.reopenBankLine, { params })).status).toBe(200)
  expect((await lineWith('put aside')).state).toBe('open')
  const rows = await asOwner(
    test,
    `select act from audit where detail->>'by' = $1 and act like 'bank.%' order by id desc limit 3`,
    [staff.user_id],
  )
  expect(rows).toEqual([{ act: 'bank.reopened' }, { act: 'bank.ignored' }, { act: 'bank.imported' }])
})

it('refuses another account, another currency, what is no statement, and money for oneself', async () => {
  const refused = async (xml: string | Buffer) => {
    const { status, body } = await sendStatement(staff.api, xml)
    return [status, (body as unknown as { errors: { code: string }[] }).errors[0]?.code]
  }
  const one = [{ amount: 100 }]
  expect(await refused(bankStatement(one, { iban: 'DE75512108001245126199' }))).toEqual([
    400,
    'wrong_account',
  ])
  expect(await refused(bankStatement(one, { currency: 'CHF' }))).toEqual([400, 'wrong_currency'])
  expect(await refused(bankStatement(one, { closing: 5 }))).toEqual([400, 'balance_mismatch'])
  expect(await refused(Buffer.from('<?xml version="1.0" encoding="EBCDIC-CP-US"?>\u{e4}', 'latin1'))).toEqual(
    [400, 'unreadable_file'],
  )
  expect(await refused('a;b;c')).toEqual([400, 'unreadable_file'])
  expect(await refused(Buffer.alloc(21_000_000, ' '))).toEqual([413, 'too_large'])
  await imported({ amount: 77, text: 'for myself' })
  const { id } = await lineWith('for myself')
  expect(await assign(id, staff)).toMatchObject({ status: 403, body: refusal(403, 'own_account') })
  expect(await assign(id, anna, must(await announceTransfer(staff)).id)).toMatchObject({ status: 404 })
})

it('what the bank sent is changed by nobody, and nothing is deleted', async () => {
  await imported({ amount: 66, text: 'stays', iban: OUR_IBAN })
  const owner = await superuserOf(test)
  for (const statement of [
    `update bank_lines set amount = 99 where text = 'stays'`,
    `update bank_lines set text = 'goes' where text = 'stays'`,
    `delete from bank_lines`,
    `delete from bank_files`,
  ])
    await expect(owner.query(statement), statement).rejects.toThrow(/does not change|append-only/)
  await owner.end()
})

it('a transfer that staff stop waiting for is told to the customer, and its money counts all the same', async () => {
  const customer = await fresh()
  const { id, reference } = await announceTransfer(customer)
  const reject = (by = staff) =>
    by.api.call(rejectTransfer, {
      params: { userId: customer.user_id, id },
      body: { reason: 'Sent back by your bank' },
    })
  expect(inOrder(await Promise.all([reject(), reject()]))).toEqual([200, 409])
  expect(await reject()).toMatchObject({ body: refusal(409, 'top_up_not_pending') })
  expect((await reject(customer)).status).toBe(403)
  const told = await asOwner(
    test,
    `select letter from mails where user_id = $1 and letter = 'transfer_rejected'
     union all select detail ->> 'reason' from audit where user_id = $1 and act = 'finance.rejected'`,
    [customer.user_id],
  )
  expect(told).toEqual([{ letter: 'transfer_rejected' }, { letter: 'Sent back by your bank' }])
  await imported({ amount: 2500, text: reference })
  expect(await lineWith(reference)).toMatchObject({ match: 'exact' })
  await bookExact(app, origin)
  expect(await balance(customer)).toBe(2500n)
})

it('B-02 a payment for a customer who shares name and address waits for a second member, and so does its way back', async () => {
  const customer = await fresh()
  const { id, reference } = await announceTransfer(customer)
  const home = { surname: 'Lind', zip: '20095', address: 'Am Markt 1' }
  await transaction(app, 'system', async (tx) => {
    for (const user_id of [customer.user_id, staff.user_id]) await updateProfileFields(tx, user_id, home)
  })
  await imported({ amount: 2500, text: reference })
  const line = await lineWith(reference)
  await bookExact(app, origin)
  expect(await lineWith(reference), 'not by the job either').toMatchObject({ match: 'exact', state: 'open' })
  const colleague = await signedInStaff(test)
  const approve = async (reply: Awaited<ReturnType<typeof assign>>, act: string) => {
    const { approval } = bodyOf(reply, 202) as { approval: { id: string } }
    expect(approval).toMatchObject({ act, why: 'linked', amount: { amount: '2500' } })
    const list = bodyOf(await colleague.api.call(listApprovals, { query: {} }), 200)
    expect(must(list.items.find((one) => one.id === approval.id))).toMatchObject({
      links: ['address'],
      preview: [{ code: 'bank_line', params: { date: line.booked_on } }, { code: 'balance' }],
    })
    const call = { params: { id: approval.id }, body: { decision: 'approve' as const } }
    return bodyOf(await colleague.api.call(decideApproval, call), 200)
  }
  const asked = await assign(line.id, customer, id)
  expect((await assign(line.id, customer, id)).body).toMatchObject(refusal(409, 'already_proposed'))
  expect(await balance(customer)).toBe(0n)
  expect(await approve(asked, 'banking.assign')).toMatchObject({ status: 'approved' })
  expect(await balance(customer)).toBe(2500n)
  const audited = `select detail from audit where act = $1 and detail ->> 'line_id' = $2`
  expect(await asOwner(test, audited, ['bank.assigned', line.id])).toMatchObject([
    { detail: { by: staff.user_id, approved_by: colleague.user_id } },
  ])
  const back = await staff.api.call(contract.reverseBankLine, {
    params: { lineId: line.id },
    headers: key(),
    body: { reason: 'Of somebody else' },
  })
  expect(await approve(back, 'banking.reverse')).toMatchObject({
    status: 'approved',
  })
  expect(await balance(customer)).toBe(0n)

  // A colleague books the payment while the approval waits: the approval fails, and nothing is booked twice.
  const late = bodyOf(await assign(line.id, customer), 202) as unknown as { approval: { id: string } }
  expect((await assign(line.id, customer, undefined, colleague)).status).toBe(201)
  const call = { params: { id: late.approval.id }, body: { decision: 'approve' as const } }
  expect(bodyOf(await colleague.api.call(decideApproval, call), 200)).toMatchObject({
    status: 'failed',
    failure: 'line_not_open',
  })
  expect(await balance(customer)).toBe(2500n)
})

it('B-02 a batch that comes as a whole and again in parts is booked once', async () => {
  const customer = await fresh()
  const [one, two] = [await announceTransfer(customer, 7100), await announceTransfer(customer, 7200)]
  const batch = [
    { amount: 7100, text: one.reference },
    { amount: 7200, text: two.reference },
  ]
  const whole = { amount: 14_300, bank_ref: 'BATCH-1' }
  await imported(whole)
  expect(await imported({ ...whole, batch })).toMatchObject({ exact: 2 })
  const [waiting] = (await lines({ limit: '100' })).items.filter(({ amount }) => amount.amount === '14300')
  expect(waiting).toMatchObject({ match: 'ambiguous', cause: 'came_in_parts' })
  // The parts came first, and the whole later.
  const later = { ...whole, day: '2026-11-22' }
  await imported({ ...later, batch: batch.map((part) => ({ ...part, text: `x${part.amount}` })) })
  expect(await imported(later)).toMatchObject({ ambiguous: 1 })
  expect((await lines({ limit: '100' })).items.filter(({ cause }) => cause === 'duplicate')).toContainEqual(
    expect.objectContaining({ booked_on: '2026-11-22' }),
  )
  // A member has booked the whole before its parts come: these wait for a person.
  const booked = { ...whole, day: '2026-11-23' }
  await imported(booked)
  const line = must((await lines({ limit: '100' })).items.find(({ booked_on }) => booked_on === '2026-11-23'))
  expect((await assign(line.id, customer)).status).toBe(201)
  expect(await imported({ ...booked, batch })).toMatchObject({ exact: 0, ambiguous: 2 })
  await bookExact(app, origin)
  expect(await balance(customer)).toBe(14_300n + 14_300n)
})

it('B-02 a payment that is imported again as CSV is left to staff, who see which payment it repeats', async () => {
  const customer = await fresh()
  const { reference } = await announceTransfer(customer, 6100)
  const name = 'Csv Twin'
  const twin = { name, iban: 'DE75512108001245126199', day: '2026-11-19' }
  // One payment has the reference of a transfer, and two look alike; all three have references of the bank.
  await imported(
    { ...twin, amount: 6100, text: reference, bank_ref: 'B-1' },
    { ...twin, amount: 500, text: 'Spende fuer Hosting', bank_ref: 'B-2' },
    { ...twin, amount: 500, text: 'Spende fuer Hosting', bank_ref: 'B-3' },
  )
  const body = {
    name: 'Twins',
    form: {
      delimiter: ';',
      encoding: 'utf-8',
      date_form: 'dd.mm.yyyy',
      decimal: ',',
      date: 'Tag',
      amount: 'Betrag',
      currency: '',
      payer: 'Zahler',
      iban: 'IBAN',
      text: 'Zweck',
    },
  } as const
  const { id } = bodyOf(await staff.api.call(contract.addBankProfile, { body }), 201)
  const row = (text: string, amount: string) => `19.11.2026;${name};${twin.iban};${text};${amount}`
  const csv = [
    'Tag;Zahler;IBAN;Zweck;Betrag',
    row(`SVWZ+${reference}`, '61,00'),
    row('SPENDE FUER HOSTING', '5,00'),
    row('SPENDE FUER HOSTING', '5,00'),
    row('SPENDE FUER HOSTING', '5,00'),
    row('Another one', '5,00'),
  ].join('\n')
  const again = await sendStatement(staff.api, Buffer.from(csv), `bank-files/?profile=${id}`)
  expect(again).toMatchObject({
    status: 201,
    body: { counts: { exact: 0, ambiguous: 3, unknown: 2, known: 0 } },
  })
  const repeated = (await lines({ q: name, limit: '50' })).items.filter(({ same_as }) => same_as !== null)
  expect(new Set(repeated.map(({ same_as }) => same_as?.line))).toEqual(new Set([1, 2, 3]))
  for (const { cause, match, same_as } of repeated)
    expect([cause, match, same_as]).toMatchObject([
      'duplicate',
      'ambiguous',
      { statement_id: `S-${statements}`, state: 'open' },
    ])
  await bookExact(app, origin)
  expect(await balance(customer), 'booked once').toBe(6100n)
  expect((await lines({ q: reference })).items).toMatchObject([
    { cause: 'duplicate', same_as: { state: 'booked' } },
  ])
})
