import { listHosts } from '#features/hosts/contract.ts'
import { judgeLicence } from '#agent/licence.mjs'
import { publishedKeys } from './agents.ts'
import type { Customer } from './customer.ts'
import { asOwner, bodyOf } from './hosts.ts'
import type { TestApp } from './test-app.ts'

const DAY_MS = 86_400_000
type Period = { plan: string; starts_at: Date; ends_at: Date }

/**
 * Returns the mismatches between the paid periods of a customer's hosts and the plans that the API shows now, and that the agent reads
 * from the document of now, as long as it accepts this document (decision 031).
 */
export async function planMistakes(test: TestApp, { api }: Pick<Customer, 'api'>): Promise<string[]> {
  const keys = await publishedKeys(test)
  const { items } = bodyOf(await api.call(listHosts, { query: {} }), 200)
  const mistakes: string[] = []
  for (const { id, licence } of items) {
    const periods = (await asOwner(
      test,
      `select o.plan, p.starts_at, p.ends_at from paid_periods p join licence_orders o on o.id = p.order_id
       where p.host_id = (select id from hosts where public_id = $1) and p.ends_at > p.starts_at order by p.starts_at`,
      [id],
    )) as Period[]
    const now = Date.now()
    const at = (ms: number) =>
      periods.find(({ starts_at, ends_at }) => +starts_at <= ms && ms < +ends_at)?.plan
    const plan = licence.status === 'active' ? at(now) : periods.at(-1)?.plan
    if (licence.plan?.slug !== plan) mistakes.push(`${id} shows ${licence.plan?.slug}, paid is ${plan}`)
    const [chosen] = (await asOwner(
      test,
      `select renewal_plan as plan from licence_settings where host_id = (select id from hosts where public_id = $1)`,
      [id],
    )) as { plan: string }[]
    if (licence.renewal_plan?.slug !== (chosen ?? periods.at(-1))?.plan)
      mistakes.push(`${id} renews with another plan`)
    const next = periods.find((period) => +period.starts_at > now && period.plan !== plan)
    if (licence.next?.plan.slug !== next?.plan) mistakes.push(`${id} goes on with another plan`)
    const { body: document } = await api.get<string>(`/api/hosts/${id}/licence/document`)
    for (let days = 0; days < 11; days += 0.25) {
      const ms = now + days * DAY_MS
      const { verdict, plan: judged } = judgeLicence(document, { keys, ipv4: 'any', now: ms / 1000 })
      if (verdict !== 'valid' && verdict !== 'in_grace') continue
      if (judged !== at(ms))
        mistakes.push(`${id}: in ${days} days the document says ${judged}, paid is ${at(ms)}`)
    }
  }
  return mistakes
}
