import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { people } from '#app/seed/people.ts'
import { login, signup } from '#features/auth/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { PatientClient } from '#tests/harness/patient-client.ts'
import { startMailSink } from '#tests/harness/mail-sink.ts'
import type { MailSink } from '#tests/harness/mail-sink.ts'
import { databaseOf, makeDataDir, startProduct } from './product-process.ts'
import type { Product } from './product-process.ts'
import { must } from '#foundation/must.ts'

const KILLS = Number(process.env['KILLS'] ?? 3)
const SIGNING_UP = 6

const { dataDir, remove } = makeDataDir()
const sink = await startMailSink()
let product: Product | undefined
afterAll(async () => {
  await product?.stop()
  await sink.close()
  remove()
})

const settings = { DEMO: 'on', SMTP_URL: sink.url, RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'info' }

it(
  `rules 30, 34: kill -9 of everything ${KILLS} times under sign-ups and profile updates: nothing acknowledged is lost, each mail owed is sent once`,
  async () => {
    const acknowledged = { signups: new Set<string>(), updates: new Map<string, number>() }
    const asked = new Map<string, number>()
    const tokens = new Map<string, string>()
    for (let round = 0; round <= KILLS; round += 1) {
      product = await startProduct({ dataDir, settings })
      if (tokens.size === 0)
        for (const [email, token] of await signInAll(product.url)) tokens.set(email, token)
      await expectKept(acknowledged, asked)
      if (round === KILLS) break
      const stream = { stopped: false }
      const streams = [
        ...Array.from({ length: SIGNING_UP }, (_, lane) =>
          signUpOnAndOn(must(product).url, `r${round}l${lane}`, acknowledged.signups, stream),
        ),
        ...[...tokens].map(([email, token]) =>
          updateOnAndOn(must(product).url, { email, token }, acknowledged.updates, asked, stream),
        ),
      ]
      // The loop waits until some requests are acknowledged, also on a busy machine; the kill then comes at a random moment.
      const [signups, updates] = [acknowledged.signups.size, total(acknowledged.updates)]
      const deadline = Date.now() + 20_000
      while (
        Date.now() < deadline &&
        (acknowledged.signups.size < signups + 4 || total(acknowledged.updates) < updates + 4)
      )
        await sleep(10)
      await sleep(Math.random() * 600)
      await product.kill()
      stream.stopped = true
      await Promise.all(streams)
    }
    const mails = await countMails(sink, acknowledged.signups)
    process.stdout.write(
      `  ${KILLS} kills: ${acknowledged.signups.size} sign-ups and ${total(acknowledged.updates)} updates acknowledged, ` +
        `${mails.distinct} mails by Message-ID, ${mails.repeated} delivered again after a kill\n`,
    )
    expect(acknowledged.signups.size, 'the stream has to flow').toBeGreaterThan(KILLS * 3)
    expect(total(acknowledged.updates)).toBeGreaterThan(KILLS * 3)
  },
  90_000 + KILLS * 40_000,
)

async function signInAll(url: string): Promise<Map<string, string>> {
  const tokens = new Map<string, string>()
  for (const { email, password } of people) {
    const client = new PatientClient(url)
    const reply = await client.call(login, { body: { email, password } })
    expect(reply.status).toBe(200)
    tokens.set(email, must(client.session_token))
  }
  return tokens
}

type Stream = { stopped: boolean }

/** Signs up one new account after the other; an account whose sign-up was answered counts as acknowledged. */
async function signUpOnAndOn(
  url: string,
  lane: string,
  acknowledged: Set<string>,
  stream: Stream,
): Promise<void> {
  for (let count = 0; !stream.stopped; count += 1) {
    const email = `${lane}-${count}@kill.example.com`
    const body = { email, password: 'sturdy-raincoat-63', repeat_password: 'sturdy-raincoat-63' }
    // The client sees the kill as a broken connection.
    const reply = await new PatientClient(url).call(signup, { body }).catch(() => undefined)
    if (!reply) return
    if (reply.status === 401) acknowledged.add(email)
    else throw new Error(`sign-up answered ${reply.status} ${JSON.stringify(reply.body)}`)
  }
}

/** Counts up in the field `apartment` of a profile. A kill leaves the last acknowledged number, or the one that was under way. */
async function updateOnAndOn(
  url: string,
  { email, token }: { email: string; token: string },
  acknowledged: Map<string, number>,
  asked: Map<string, number>,
  stream: Stream,
): Promise<void> {
  while (!stream.stopped) {
    const next = (asked.get(email) ?? 0) + 1
    asked.set(email, next)
    const options = { session_token: token }
    const reply = await new PatientClient(url)
      .call(updateProfile, { body: { apartment: String(next) } }, options)
      .catch(() => undefined)
    if (!reply) return
    if (reply.status !== 200)
      throw new Error(`update answered ${String(reply.status)} ${JSON.stringify(reply.body)}`)
    acknowledged.set(email, next)
  }
}

async function expectKept(
  acknowledged: { signups: Set<string>; updates: Map<string, number> },
  asked: Map<string, number>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseOf(dataDir) })
  await client.connect()
  try {
    const accounts = await client.query<{ email: string }>('select email from users')
    const there = new Set(accounts.rows.map((row) => row.email))
    expect([...acknowledged.signups].filter((email) => !there.has(email))).toEqual([])
    const profiles = await client.query<{ email: string; apartment: string }>(
      'select email, apartment from profiles join users on users.id = profiles.user_id where email = any($1)',
      [[...acknowledged.updates.keys()]],
    )
    for (const { email, apartment } of profiles.rows) {
      expect(Number(apartment)).toBeGreaterThanOrEqual(must(acknowledged.updates.get(email)))
      expect(Number(apartment)).toBeLessThanOrEqual(must(asked.get(email)))
    }
    expect(profiles.rowCount).toBe(acknowledged.updates.size)
  } finally {
    await client.end()
  }
}

/**
 * Expects one confirmation mail for each acknowledged sign-up, and for each account in the database, even if its answer did not arrive.
 * A mail handed over just before the kill may be handed over again, with the same Message-ID, by which mail programs show it once.
 * Returns the number of mails, and of those that were delivered again.
 */
async function countMails(
  { all }: MailSink,
  signups: Set<string>,
): Promise<{ distinct: number; repeated: number }> {
  const accounts = await accountsMade()
  const byRecipient = () => {
    const ids = new Map<string, Set<string>>()
    for (const mail of all.filter(({ to_address }) => to_address.endsWith('@kill.example.com')))
      ids.set(mail.to_address, (ids.get(mail.to_address) ?? new Set()).add(mail.messageId ?? 'none'))
    return ids
  }
  const deadline = Date.now() + 45_000
  while (accounts.some((email) => !byRecipient().has(email)) && Date.now() < deadline) await sleep(100)
  // A process that would send twice gets the time to do so.
  await sleep(1_500)
  const ids = byRecipient()
  expect(accounts.filter((email) => ids.get(email)?.size !== 1)).toEqual([])
  expect([...signups].filter((email) => !accounts.includes(email))).toEqual([])
  expect(
    [...ids.keys()].filter((email) => !accounts.includes(email)),
    'a mail without an account',
  ).toEqual([])
  const delivered = all.filter(({ to_address }) => to_address.endsWith('@kill.example.com')).length
  const distinct = new Set([...ids.values()].flatMap((set) => [...set])).size
  expect(distinct).toBe(accounts.length)
  return { distinct, repeated: delivered - distinct }
}

async function accountsMade(): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseOf(dataDir) })
  await client.connect()
  const { rows } = await client.query<{ email: string }>(
    "select email from users where email like '%@kill.example.com'",
  )
  await client.end()
  return rows.map((row) => row.email)
}

const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)
