import * as z from 'zod/mini'
import { hostFilter } from '#features/customers/host-contract.ts'
import { pageOfAnyHosts } from '#features/customers/server/customers.ts'
import { hostStates } from '#features/customers/rules.ts'
import { allPlans } from '#features/licences/server/licences.ts'
import { addressText } from '#features/hosts/rules.ts'
import { NotFound, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { oneOf, type Options } from './options.ts'
import { linesOf, MOST, rowsOf } from './pages.ts'
import { withApp } from './with-app.ts'

/** `host list`. Throws WrongUse, and NotFound for an unknown plan. */
export async function listHosts(surroundings: CommandEnvironment, options: Options): Promise<Answer> {
  const query = z.strictObject(hostFilter).safeParse({
    state: options['state'],
    plan: options['plan'],
    country: options['country'],
  })
  if (!query.success) throw new WrongUse(wordsOf(query.error.issues[0]?.path[0]))
  return await withApp(surroundings, async (app) => {
    const { plan: wanted } = query.data
    if (wanted !== undefined && !(await allPlans(app.db)).some(({ slug }) => slug === wanted))
      throw new NotFound(`There is no plan '${wanted}'. Run: plan list`)
    const { rows: hosts, has_more } = await rowsOf(options, (cursor: string | undefined) =>
      pageOfAnyHosts(app, { ...query.data, cursor, limit: MOST }),
    )
    const lines = hosts.map(
      ({ host: { id, name, ipv4, ipv6, paid_until, connected, suspended }, plan, wrong_address, customer }) =>
        `${id} ${name} ${addressText({ ipv4, ipv6 }) || '-'} of ${customer.id} (${customer.name}): ` +
        `${plan?.en ?? 'free'}${paid_until === null ? '' : ` until ${paid_until}`}, ${connected ? 'online' : 'offline'}` +
        (suspended ? ', suspended' : '') +
        (wrong_address === null ? '' : `, runs at ${wrong_address}`),
    )
    return { lines: linesOf(lines, 'No server is found.', has_more), data: { hosts, has_more } }
  })
}

const wordsOf = (option: unknown): string =>
  option === 'country'
    ? '--country is a code of two capital letters, such as DE.'
    : option === 'plan'
      ? '--plan is the slug of a plan. Run: plan list'
      : `--state is ${oneOf(hostStates)}.`
