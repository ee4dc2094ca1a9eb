import type { HostRow } from '#features/hosts/server/hosts.ts'
import { netAt } from '#features/licences/rules.ts'
import type { PlanRow } from './plan-queries.ts'

type Having = Pick<HostRow, 'periods' | 'renewal'>

/**
 * The price of a plan for a host now, before VAT. It is the price of renewals if the last period of the host has that plan, or if the plan
 * was chosen for the end.
 */
export const netFor = ({ slug, price_net, renewal_net }: PlanRow, host: Having | undefined): bigint =>
  host?.renewal?.plan === slug || host?.periods.at(-1)?.plan === slug ? renewal_net : price_net

/** The price of a renewal at a time: the price of that time, but no more than was announced. */
export const renewalNetAt = (plan: PlanRow, at: Date, announced_net: bigint | null | undefined): bigint =>
  atMost(netAt(plan.prices, 'renewals_from_at', at) ?? plan.renewal_net, announced_net)

/** The price, or the announced price if the price has risen since (rule 46). */
export const atMost = (net: bigint, announced_net: bigint | null | undefined): bigint =>
  typeof announced_net === 'bigint' && announced_net < net ? announced_net : net
