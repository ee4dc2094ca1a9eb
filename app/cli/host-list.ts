import * as z from 'zod/mini'
import { hostFilter } from '#features/customers/host-contract.ts'
import { pageOfAnyHosts } from '#features/customers/server/customers.ts'
import { addressText } from '#features/hosts/rules.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

const MOST = 100

/** `host list`. Throws WrongUse. */
export async function listHosts(surroundings: CommandEnvironment, options: Options): Promise<Answer> {
  const query = z.strictObject(hostFilter).safeParse({
    state: options['state'],
    plan: options['plan'],
    country: options['country'],
  })
  if (!query.success) throw new WrongUse('--state is alert, offline, ends_soon, wrong_machine or suspended.')
  return await withApp(surroundings, async (app) => {
    const { items } = await pageOfAnyHosts(app, { ...query.data, limit: MOST })
    const lines = items.map(
      ({ host: { id, name, ipv4, ipv6, paid_until, connected, suspended }, plan, customer }) =>
        `${id} ${name} ${addressText({ ipv4, ipv6 }) || '-'} of ${customer.id} (${customer.name}): ` +
        `${plan?.en ?? 'free'}${paid_until === null ? '' : ` until ${paid_until}`}, ${connected ? 'online' : 'offline'}` +
        (suspended ? ', suspended' : ''),
    )
    return { lines: lines.length > 0 ? lines : ['No server is found.'], data: { hosts: items } }
  })
}
