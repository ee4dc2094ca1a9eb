import { afterAll, expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/check.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import { announceTransfer } from '#tests/harness/announced-transfer.ts'
import { bankStatement, type WrittenPayment } from '#tests/harness/bank-statement.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { sendStatement } from '#tests/harness/send-statement.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { bookExact } from './book-exact.ts'

/** The number of payments; 500 in `npm run test:faults -- statements`. */
const LINES = Number(process.env['STATEMENT_LINES'] ?? 60)
const [EXACT, NEAR, UNKNOWN, RETURNS] = [LINES / 2, LINES / 5, LINES / 5, LINES / 10]
/** The number of transfers that a customer may announce. */
const EACH = 20

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const staff = await signedInStaff(test)
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const origin = { by: staff.user_id, ip: '127.0.0.1', user_agent: 'tests', request_id: 'r' }

type Announced = { customer: Customer; reference: string; amount: number }

const customers: Customer[] = []
/** Announces bank transfers, `EACH` by a customer, each with a different amount. */
async function announce(count: number): Promise<Announced[]> {
  const made: Announced[] = []
  for (let place = 0; place < count; place += 1) {
    if (place % EACH === 0) customers.push(await signedInCustomer(test))
    const customer = must(customers.at(-1))
    const amount = 1_000 + customers.length * 100 + place
    const { reference } = await announceTransfer(customer, amount)
    made.push({ customer, amount, reference })
  }
  return made
}

/** The spellings in which a bank may return a reference; each spelling still names one transfer. */
const noises: readonly ((reference: string) => string)[] = [
  (reference) => reference,
  (reference) => reference.toLowerCase(),
  (reference) => reference.replaceAll('-', ' '),
  (reference) => reference.replaceAll('-', ''),
  (reference) => `${reference.slice(0, 9)}\n${reference.slice(9)}`,
  (reference) => [...reference].join(' '),
  (reference) => `Rechnung vom 20.11.2026, ${reference.replaceAll('-', ' - ')}, danke`,
  (reference) => reference.replaceAll('-', '/'),
  (reference) => `hD${reference.slice(2).toLowerCase()} Kd.-Nr. 4711`,
]

/** The ways in which a reference is mistyped. */
const mistakes: readonly ((reference: string) => string)[] = [
  // One wrong letter.
  (reference) => reference.replace(/(?<=HD-.)./, (letter) => (letter === 'Q' ? 'W' : 'Q')),
  // One wrong digit in the number, so that the check digits do not fit.
  (reference) => reference.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
  // Missing check digits.
  (reference) => reference.slice(0, -3),
  // A wrong check digit.
  (reference) => reference.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
]

const strangers = ['Danke', 'Rechnung 4711', 'HD-2026-000017', 'hosting november', 'HD ABC 12345', '']
const at = <Value>(values: readonly Value[], place: number): Value => must(values[place % values.length])

const ibanOf = (place: number) => `DE75512108001245${String(126_000 + place).padStart(6, '0')}`

type Expected = { match: string; cause: string | null }
type Written = { payment: WrittenPayment; expected: Expected }

/** Mixes the payments so that every kind stands beside every other kind, in the same order in each run. */
const mixed = (written: readonly Written[]): Written[] =>
  written
    .map((one, place) => ({ one, at: (place * 7_919) % 10_007 }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ one }) => one)

/** Makes each second group of five payments one entry of the bank (a batch), if all five came in. */
function entriesOf(payments: readonly WrittenPayment[]): WrittenPayment[] {
  const entries: WrittenPayment[] = []
  for (let from = 0; from < payments.length; from += 5) {
    const some = payments.slice(from, from + 5)
    const isBatch = from % 10 === 0 && some.every(({ amount }) => amount > 0)
    const amount = some.reduce((sum, one) => sum + one.amount, 0)
    entries.push(...(isBatch ? [{ amount, batch: some }] : some))
  }
  return entries
}

const send = async (payments: readonly WrittenPayment[], id: string) => {
  const { status, body } = await sendStatement(staff.api, bankStatement(payments, { id }))
  expect(status).toBe(201)
  return body.counts
}

it(
  `B-01, B-02 each of ${LINES} payments gets its class, however its reference is typed, and no wrong payment is booked`,
  async () => {
    const earlier = await announce(RETURNS)
    await send(
      earlier.map(({ amount, reference: text }, place) => ({
        amount,
        text,
        name: 'Early',
        iban: ibanOf(place),
      })),
      'earlier',
    )
    await bookExact(app, origin)
    const [exact, near] = [await announce(EXACT), await announce(NEAR)]
    const written = mixed([
      ...exact.map(({ amount, reference }, place) => ({
        payment: { amount, text: at(noises, place)(reference) },
        expected: { match: 'exact', cause: null },
      })),
      ...near.map(({ amount, reference }, place) => ({
        payment: { amount, text: at(mistakes, place)(reference) },
        expected: { match: 'ambiguous', cause: 'near_reference' },
      })),
      ...Array.from({ length: UNKNOWN }, (_, place) => ({
        payment: { amount: 30_000 + place, text: at(strangers, place) },
        expected: { match: 'unknown', cause: null },
      })),
      ...earlier.map(({ amount }, place) => ({
        payment: { amount: -amount, text: 'Rueckgabe', iban: ibanOf(place), day: '2026-11-21' },
        expected: { match: 'ambiguous', cause: 'return' },
      })),
    ]).map(({ payment, expected }, place) => ({
      payment: { ...payment, name: `Payer no. ${place}.` },
      expected,
    }))

    // Two parts of the statement that overlap by a fifth are counted like the whole.
    const entries = entriesOf(written.map(({ payment }) => payment))
    const linesIn = (some: readonly WrittenPayment[]) =>
      some.reduce((sum, { batch }) => sum + (batch?.length ?? 1), 0)
    const [until, from] = [Math.ceil(entries.length * 0.6), Math.floor(entries.length * 0.4)]
    const first = await send(entries.slice(0, until), 'first half')
    const second = await send(entries.slice(from), 'second half')
    expect([first.known, second.known]).toEqual([0, linesIn(entries.slice(from, until))])
    expect({
      exact: first.exact + second.exact,
      ambiguous: first.ambiguous + second.ambiguous,
      unknown: first.unknown + second.unknown,
    }).toEqual({ exact: EXACT, ambiguous: NEAR + RETURNS, unknown: UNKNOWN })
    const whole = { exact: 0, ambiguous: 0, unknown: 0, known: LINES }
    expect(await send(entries, 'whole')).toEqual(whole)
    const again = await sendStatement(staff.api, bankStatement(entries, { id: 'whole' }))
    expect(again).toMatchObject({ status: 200, body: { counts: whole } })

    const { rows } = await superuser.query<Expected & { name: string }>(
      `select name, match, cause from bank_lines where name like 'Payer no.%'`,
    )
    const found = new Map(rows.map(({ name, match, cause }) => [name, { match, cause }]))
    expect(rows).toHaveLength(LINES)
    for (const { payment, expected } of written)
      expect([payment.text, found.get(payment.name)]).toEqual([payment.text, expected])

    await bookExact(app, origin)
    for (const customer of customers) {
      const own = [...earlier, ...exact].filter((one) => one.customer === customer)
      const paid = own.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
      expect(await balanceOf(app, app.db, customer.user_id)).toBe(paid)
    }
    expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  },
  60_000 + LINES * 500,
)
