import { judge } from '#agent/judge.mjs'
import { getHost } from '#features/hosts/contract.ts'
import { hostOf } from '#features/hosts/server/hosts.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { licenceDocument } from '#features/licences/server/document.ts'
import { allowedBy, DAY, periodAt, planAtEnd, planChange, running, type Model } from './model.ts'
import { hold } from './hold.ts'
import type { Life } from './life.ts'
import { call, type World } from './world.ts'

/** The number of times that are checked when a history is over. */
export const AT_END = 50

type Told = { plan: string | null; edition: string | null; entitlements: unknown }

/** Returns the plan, edition and entitlements of the model at a time. */
function told(model: Model, at: number): Told {
  const period = periodAt(model, at)
  if (!period) return { plan: null, edition: null, entitlements: {} }
  return { plan: period.plan, edition: period.edition, entitlements: allowedBy(model, period) }
}

/** Expects the same plan at `count` times in the rows, in the API, in the document and its judgement, and in the model. */
export async function expectPlans(life: Life, count: number): Promise<void> {
  const { model } = life
  const ends = running(model).flatMap(({ starts, ends: end }) => [starts, end])
  const [from, to] = [Math.min(Date.now(), ...ends) - DAY, Math.max(Date.now(), ...ends) + 40 * DAY]
  const times = Array.from({ length: count }, (_, place) => anyTime(life, ends, from, to, place))
  await expectRow(life, times)
  await expectApi(life, times)
  await expectDocument(life, ends, count)
}

/** Returns a random time; every second one lies within a millisecond of a change. */
function anyTime({ random }: Life, ends: readonly number[], from: number, to: number, place: number): number {
  const near = ends[Math.floor(random() * ends.length)]
  if (place % 2 === 0 && near !== undefined) return near - 1 + Math.floor(random() * 3)
  return Math.floor(from + random() * (to - from))
}

async function expectRow({ lane, host_id, model }: Life, times: readonly number[]): Promise<void> {
  const { rows } = await lane.world.owner.query<Told>({
    name: 'licence_at',
    text: `select l.plan, l.edition, coalesce(l.entitlements, '{}') as entitlements
      from unnest($2::timestamptz[]) with ordinality as t (at, place) left join lateral (
        select * from licence_at($1, t.at) order by starts_at limit 1) l on l.starts_at <= t.at order by t.place`,
    values: [host_id, times.map((at) => new Date(at))],
  })
  hold(
    'the row',
    rows,
    times.map((at) => told(model, at)),
  )
}

async function expectApi(
  { lane: { world }, people: { owner }, hostId, model }: Life,
  times: readonly number[],
): Promise<void> {
  const params = { hostId }
  const query = { limit: 100 as unknown as string }
  const periods = await call(world, owner, listPaidPeriods, { params, query })
  const host = await call(world, owner, getHost, { params })
  const now = Date.now()
  if (host.status !== 200 || periods.status !== 200) throw new Error('the host is gone')
  const listed = (
    periods.body as { items: { plan: { en: string }; starts_at: string; ends_at: string }[] }
  ).items
    .filter(({ starts_at, ends_at }) => ends_at > starts_at)
    .toReversed()
  const planIn = (at: number) =>
    listed.findLast(({ starts_at }) => Date.parse(starts_at) <= at)?.plan.en ?? null
  hold(
    'the periods of the API',
    times.map(planIn),
    times.map((at) => told(model, at).plan),
  )
  const { licence, auto_renew } = host.body as Extract<
    typeof host,
    { status: 200; body: { licence: unknown } }
  >['body']
  const next = planChange(model, now)
  const shown = {
    plan: licence.plan?.slug ?? null,
    edition: licence.edition,
    entitlements: licence.entitlements,
    next: licence.next && [licence.next.plan.slug, Date.parse(licence.next.starts_at)],
    renewal: licence.renewal_plan?.slug,
    suspended: licence.suspended !== null,
    auto_renew,
  }
  hold('the server of the API', shown, {
    ...told(model, now),
    next: next === null ? null : [told(model, next).plan, next],
    renewal: planAtEnd(model),
    suspended: model.suspended !== null,
    auto_renew: model.auto_renew,
  })
}

type Claims = {
  plan: string | null
  edition: string | null
  entitlements: unknown
  iat: number
  exp: number
  grace_s: number
  next: { from: string; plan: string; edition: string; entitlements: unknown }[]
}

async function expectDocument(life: Life, ends: readonly number[], count: number): Promise<void> {
  const { world } = life.lane
  const { model } = life
  const document = await documentOf(life)
  const claims = JSON.parse(Buffer.from(document.split('.')[1] ?? '', 'base64url').toString()) as Claims
  const [issued, over] = [Date.now(), (claims.exp + claims.grace_s) * 1000]
  const within = ends.filter((at) => at > issued && at < over)
  const paid_until = Math.max(0, ...running(model).map(({ ends: end }) => end))
  const never = running(model).length === 0
  for (let place = 0; place < count; place += 1) {
    const at = anyTime(life, within, issued, over + DAY, place)
    const isLicensed = !model.suspended && !never && at < paid_until && at < over
    const answer = judge(document, { keys: world.keys, at: at / 1000 })
    const { verdict, plan, entitlements } = answer
    const due = told(model, at)
    const begun = claims.next.findLast((one) => Date.parse(one.from) <= at) ?? claims
    const inDocument = { plan: begun.plan, edition: begun.edition, entitlements: begun.entitlements }
    hold(`the document at ${at}`, at >= over ? due : inDocument, due)
    const judged = { isLicensed: verdict === 'valid' || verdict === 'in_grace', plan, entitlements }
    const { plan: paid, entitlements: allowed } = isLicensed ? due : { plan: null, entitlements: {} }
    hold(`judged at ${at}`, judged, { isLicensed, plan: paid, entitlements: allowed })
    if (count >= AT_END) keepCase(world, document, at, answer)
  }
}

/** Keeps a judgement for the libraries of the other languages, which start too slowly to be asked each time. */
function keepCase({ judged }: World, document: string, at: number, answer: ReturnType<typeof judge>): void {
  const { verdict, reason, plan, entitlements } = answer
  const expected = { at: at / 1000 }
  judged.push({ name: `at ${at}`, document, expected, answer: { verdict, reason, plan, entitlements } })
}

async function documentOf({ lane: { world }, people: { owner }, hostId }: Life): Promise<string> {
  const { test, isOverHttp } = world
  if (!isOverHttp) return licenceDocument(test.app, await hostOf(test.app.db, owner.user_id, hostId))
  return (await owner.api.get<string>(`/api/hosts/${hostId}/licence/document`)).body
}
