import { afterAll, expect, it } from 'vitest'
import { getVatStatus } from '#features/invoices/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { startVies, viesAnswers, type ViesBehaviour as Behaviour } from '#tests/harness/vies-server.ts'
import { askDueVatIds, checkVatId } from './check-vat-id.ts'
import { insertOverride } from './override-queries.ts'
import { checksOf } from './vat-evidence-queries.ts'
import { recorded, type VatIdSource } from './vat-id-source.ts'
import { vatFor } from './vat-of-customer.ts'
import { vies } from './vies.ts'

const test = await startTestApp()
const superuser = await superuserOf(test)

const server = await startVies()
const { service, asked } = server
afterAll(async () => {
  server.close()
  await superuser.end()
})
const answers = viesAnswers
const yes = answers({
  valid: true,
  requestIdentifier: 'WAPIAAAAY2',
  name: 'Muster\u0000 GmbH',
  address: '---',
})
const no = answers({ valid: false, userError: 'INVALID' })
const away = answers({ actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] })

const company = { ...test.app.config.company, isMadeUp: false, vatId: 'DE811234567' }
const appWith = (vatIds: VatIdSource) => ({ ...test.app, config: { ...test.app.config, company, vatIds } })
const app = appWith(vies(service, 5_000))

const austrian = async (vat_id = 'ATU12345678') => {
  const customer = await signedInCustomer(test)
  bodyOf(await customer.api.call(updateProfile, { body: { country: 'AT', vat_id } }), 200)
  return customer
}
const kindFor = async (user_id: string) => (await vatFor(app, app.db, user_id)).kind
const jobOf = async (user_id: string) => {
  const { rows } = await superuser.query<{ payload: { failed?: number }; in_s: number }>(
    `select payload, round(extract(epoch from run_at - now()))::int as in_s from jobs where key = $1`,
    [`vat_id:${user_id}`],
  )
  return rows[0]
}
const mailsTo = async (user_id: string) =>
  (
    await superuser.query<{ letter: string }>('select letter from mails where user_id = $1', [user_id])
  ).rows.map(({ letter }) => letter)
/** Moves the checks of a customer's VAT ids some days into the past. */
const passDays = async (user_id: string, days: number) => {
  await superuser.query('begin; set local session_replication_role = replica')
  await superuser.query(
    `update vat_id_checks set asked_at = asked_at - make_interval(days => $2), answered_at = answered_at - make_interval(days => $2)
     where user_id = $1`,
    [user_id, days],
  )
  await superuser.query('commit')
}

it('F-02 asks VIES when a VAT id is saved, names us, and keeps the answer as evidence of the invoices', async () => {
  const { user_id, api } = await austrian('atu 12345678')
  expect(await jobOf(user_id)).toMatchObject({ payload: { user_id } })
  expect(await kindFor(user_id)).toBe('oss')
  server.behave(yes)
  await checkVatId(app, { user_id })
  expect(asked.at(-1)).toEqual({
    path: '/check-vat-number',
    countryCode: 'AT',
    vatNumber: 'U12345678',
    requesterMemberStateCode: 'DE',
    requesterNumber: '811234567',
  })
  const decision = await vatFor(app, app.db, user_id)
  expect(decision).toMatchObject({ kind: 'reverse_charge', rate_bp: 0n })
  expect(decision.evidence.answer).toMatchObject({
    verdict: 'valid',
    source: 'vies',
    requester: 'DE811234567',
    consultation_number: 'WAPIAAAAY2',
  })
  expect(await checksOf(app.db, user_id, 10)).toMatchObject([{ name: 'Muster  GmbH', address: '' }])
  expect(bodyOf(await api.call(getVatStatus, {}), 200)).toMatchObject({ state: 'verified' })
  expect(await mailsTo(user_id)).toEqual(['vat_id_verified'])
  const { rows } = await superuser.query(
    `select act, detail from audit where user_id = $1 and act like 'vat.%'`,
    [user_id],
  )
  expect(rows).toMatchObject([{ act: 'vat.checked', detail: { verdict: 'valid', vat_id: 'ATU12345678' } }])

  // Another VAT id needs a check of its own; a check no longer counts after 90 days and a moment.
  bodyOf(await api.call(updateProfile, { body: { vat_id: 'ATU87654321' } }), 200)
  expect(await kindFor(user_id)).toBe('oss')
  bodyOf(await api.call(updateProfile, { body: { vat_id: 'ATU12345678' } }), 200)
  expect(await kindFor(user_id)).toBe('reverse_charge')
  await passDays(user_id, 91)
  expect(await kindFor(user_id)).toBe('oss')
})

const hangs: Behaviour = () => undefined
const drips: Behaviour = (response) => {
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}
const raw =
  (text: string, status = 200, headers = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end(text)

it.each<[string, Behaviour]>([
  ['hangs', hangs],
  ['sends a byte now and then', drips],
  ['cuts the connection', (response) => response.destroy()],
  ['is away', away],
  ['is overloaded', answers({ valid: true }, 503)],
  ['sends elsewhere', raw('', 302, { location: `${service}/yes` })],
  ['answers in HTML', raw('<html>valid: true</html>')],
  ['says nothing', raw('')],
  ['says too much', raw(`{"valid":true,"name":"${'x'.repeat(200_000)}"}`)],
  ['answers about another number', answers({ valid: true, vatNumber: 'U00000000' })],
  ['answers about another country', answers({ valid: true, countryCode: 'DE' })],
  ['says yes as text', answers({ valid: 'true' })],
  ['says yes as a number', answers({ valid: 1 })],
  ['says no yes', answers({ valid: undefined })],
  ['says yes and that it failed', answers({ valid: true, actionSucceed: false })],
  ['says yes and an error', answers({ valid: true, errorWrappers: [{ error: 'MS_MAX_CONCURRENT_REQ' }] })],
  ['says yes and no', answers({ valid: true, userError: 'INVALID' })],
  ['says no and why it cannot know', answers({ valid: false, userError: 'MS_UNAVAILABLE' })],
])('F-02 charges VAT where VIES %s, and asks again', async (_, does) => {
  server.behave(does)
  const { user_id, api } = await austrian()
  await checkVatId(appWith(vies(service, 150)), { user_id })
  expect(await checksOf(app.db, user_id, 10)).toMatchObject([{ verdict: 'unverified', answered_at: null }])
  expect(await kindFor(user_id)).toBe('oss')
  expect(await jobOf(user_id)).toMatchObject({ payload: { failed: 1 } })
  expect(bodyOf(await api.call(getVatStatus, {}), 200)).toMatchObject({ asked_since: expect.any(String) })
})

it('F-02 asks again after 1, 5, 30 minutes, 2, 6, 24 hours, then daily; after a week the customer is told, once', async () => {
  const { user_id } = await austrian()
  server.behave(away)
  const pauses: number[] = []
  for (let failed = 0; failed < 8; failed += 1) {
    await checkVatId(app, { user_id, failed })
    pauses.push(must(await jobOf(user_id)).in_s)
  }
  expect(pauses).toEqual(
    [60, 300, 1_800, 7_200, 21_600, 86_400, 86_400, 86_400].map((s) => expect.closeTo(s, -2)),
  )
  expect(await mailsTo(user_id)).toEqual([])
  await passDays(user_id, 8)
  await checkVatId(app, { user_id, failed: 8 })
  await checkVatId(app, { user_id, failed: 9 })
  expect(await mailsTo(user_id)).toEqual(['vat_id_not_verified'])
  server.behave(yes)
  await checkVatId(app, { user_id, failed: 10 })
  expect(await kindFor(user_id)).toBe('reverse_charge')
})

it('F-02 takes a no for a no, asks for a week whether it stays, and says so', async () => {
  const { user_id, api } = await austrian()
  server.behave(no)
  await checkVatId(app, { user_id })
  expect(bodyOf(await api.call(getVatStatus, {}), 200)).toMatchObject({ state: 'invalid' })
  expect(must(await jobOf(user_id)).in_s).toBeGreaterThan(86_000)
  await passDays(user_id, 8)
  await superuser.query('delete from jobs where key = $1', [`vat_id:${user_id}`])
  await checkVatId(app, { user_id })
  expect(await mailsTo(user_id)).toEqual(['vat_id_not_verified'])
  expect(await jobOf(user_id)).toBeUndefined()
})

it('F-02 asks at most 20 times a day for a customer, and not about ids that decide nothing', async () => {
  const { user_id, api } = await austrian()
  server.behave(away)
  const before = asked.length
  for (let round = 0; round < 22; round += 1) await checkVatId(app, { user_id })
  expect(asked.length - before).toBe(20)
  for (const country of ['DE', 'CH', 'FR', ''])
    for (const body of [{ country }]) {
      bodyOf(await api.call(updateProfile, { body }), 200)
      await checkVatId(app, { user_id })
    }
  expect(asked.length - before).toBe(20)
})

it('F-02 asks about the ids of a release that asked nobody, again after 83 days, and where a job was lost', async () => {
  const { user_id } = await austrian()
  const lose = () => superuser.query('delete from jobs where key = $1', [`vat_id:${user_id}`])
  const isDue = async () => {
    await lose()
    await askDueVatIds(app)
    return (await jobOf(user_id)) !== undefined
  }
  expect(await isDue()).toBe(true)
  server.behave(away)
  await checkVatId(app, { user_id })
  expect(await isDue()).toBe(false)
  await passDays(user_id, 2)
  expect(await isDue()).toBe(true)
  server.behave(yes)
  await checkVatId(app, { user_id })
  expect(await isDue()).toBe(false)
  await passDays(user_id, 82)
  expect(await isDue()).toBe(false)
  await passDays(user_id, 2)
  expect(await isDue()).toBe(true)
  expect(await kindFor(user_id)).toBe('reverse_charge')
})

it('F-02 asks nobody where that is off, and has answers of its own in the demo', async () => {
  const { user_id, api } = await austrian()
  await checkVatId(test.app, { user_id })
  await checkVatId(test.app, { user_id })
  expect(await checksOf(app.db, user_id, 10)).toMatchObject([{ source: 'format', verdict: 'unverified' }])
  expect(bodyOf(await api.call(getVatStatus, {}), 200)).toMatchObject({ state: 'waiting' })
  bodyOf(await api.call(updateProfile, { body: { country: 'LV', vat_id: 'LV40203517702' } }), 200)
  await checkVatId(appWith(recorded), { user_id })
  expect(await vatFor(app, app.db, user_id)).toMatchObject({
    kind: 'reverse_charge',
    evidence: { answer: { source: 'recorded' } },
  })
})

it('F-02 evidence is written by the product alone, and never changed, by the owner of the tables neither', async () => {
  const { user_id } = await austrian()
  server.behave(yes)
  await checkVatId(app, { user_id })
  const theirs = transaction(app, { userId: user_id }, (tx) =>
    insertOverride(tx, {
      user_id,
      treatment: 'consumer',
      vat_id: '',
      reason: 'x',
      by: null,
      valid_until: null,
    }),
  )
  await expect(theirs).rejects.toThrow('written by the system only')
  await transaction(app, 'system', (tx) =>
    insertOverride(tx, {
      user_id,
      treatment: 'consumer',
      vat_id: '',
      reason: 'x',
      by: null,
      valid_until: null,
    }),
  )
  for (const table of ['vat_id_checks', 'vat_overrides'])
    for (const change of [
      `update ${table} set user_id = user_id`,
      `delete from ${table}`,
      `truncate ${table}`,
    ])
      await expect(superuser.query(change)).rejects.toThrow(table)
})

it('F-02 no sale waits for VIES', async () => {
  const { user_id } = await austrian()
  let end: (() => void) | undefined
  const isAsked = new Promise<void>((resolve) => {
    server.behave((response) => {
      end = () => void response.destroy()
      resolve()
    })
  })
  let isOver = false
  const asking = checkVatId(appWith(vies(service, 60_000)), { user_id }).then(() => (isOver = true))
  await isAsked
  await addMoney(app, user_id, 50_00n)
  expect(await sell(app, { user_id, nets: [10_00n] })).toMatchObject({ total: 12_00n })
  expect(isOver).toBe(false)
  end?.()
  await asking
})
