import { closeMonths } from '#features/finance/server/finance.ts'
import { addEdition, addExtra, addPlan, makeProduct } from '#features/licences/server/licences.ts'
import { createProfile, insertAddress, updateProfileFields } from '#features/profile/server/profile.ts'
import { hashPassword, setPassword, type PasswordHash } from '#features/security/server/security.ts'
import { issuePast } from '#features/statements/server/statements.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { withoutOrder } from '#foundation/server/database/lock-order.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { createUser, setStaffRoles, updateUser, hasUsers } from '#foundation/server/session/session.ts'
import { waitForSeedLock } from './history-queries.ts'
import { clientele } from './clientele.ts'
import { editions } from './editions.ts'
import { seedHistory } from './history.ts'
import { anna, people, type Person } from './people.ts'
import { plans } from './plans.ts'
import { extras, program, programEditions } from './program.ts'
import { asDatabaseOwner } from './as-owner.ts'
import { seedProposals } from './proposals.ts'
import { seedHelp } from './seed-help.ts'
import { seedSupport } from './support.ts'
import { redeemable } from './vouchers.ts'
import { seedWebhooks } from './webhooks.ts'

type DemoLogin = { email: string; password: string; role: 'customer' | 'staff' }
type Demo = { logins: DemoLogin[]; vouchers: string[] }

/**
 * Adds the example people, with a history of up to two years, to an empty installation. Returns their logins, or no logins if the
 * installation has accounts already. All is written in one transaction, so that a crash leaves the installation empty.
 */
export async function seedDemo(app: App): Promise<Demo> {
  if (await hasUsers(app.db)) return { logins: [], vouchers: [] }
  const hashes = await Promise.all(people.map((person) => hashPassword(person.password)))
  const moved = await asDatabaseOwner(app, async (storyteller) => {
    const ids = await transaction(storyteller, 'system', (tx) =>
      // The history books for several people as it went, and nobody else works yet: the order of locks is not needed.
      withoutOrder(tx, () => seedAll(storyteller, tx, hashes)),
    )
    // The reports read closed months, and the job that closes them runs only later.
    if (ids) await closeMonths(storyteller)
    return ids
  })
  if (moved) {
    const user_id = must(moved.get(anna.email))
    await seedWebhooks(app, user_id)
    await issuePast(app, [user_id], 3)
  }
  return moved ? { logins: people.map(loginOf), vouchers: redeemable } : { logins: [], vouchers: [] }
}

/** Returns the ids of the people by their addresses; undefined where there are accounts already. */
async function seedAll(
  app: App,
  tx: Tx,
  hashes: PasswordHash[],
): Promise<ReadonlyMap<string, string> | undefined> {
  // Two processes may start at once: the second waits here and then finds the accounts.
  await waitForSeedLock(tx)
  if (await hasUsers(tx)) return undefined
  await makeProduct(tx, program)
  for (const edition of [...editions, ...programEditions]) await addEdition(tx, edition)
  for (const plan of plans) await addPlan(tx, plan)
  for (const extra of extras) await addExtra(tx, extra)
  const ids = new Map<string, string>()
  for (const [place, person] of people.entries())
    ids.set(person.email, await createDemoUser(app, tx, { ...person, is_example: true }, must(hashes[place])))
  for (const client of clientele)
    ids.set(client.email, await createDemoUser(app, tx, { ...client, roles: [], is_example: true }))
  await seedHistory(app, tx, ids)
  await seedSupport(app, tx, ids)
  await seedHelp(tx)
  await seedProposals(tx, must(ids.get(anna.email)))
  return ids
}

/**
 * Makes the account of a demo person, as if they had signed up, verified their address and filled in their profile. Nobody can sign in
 * to an account without a `hash`. Returns the id of the user.
 */
export async function createDemoUser(
  app: App,
  tx: Tx,
  person: Omit<Person, 'password'> & { is_example?: boolean },
  hash?: PasswordHash,
): Promise<string> {
  const { email, roles, is_example = false, locale, time_zone, ...profile } = person
  const user_id = await createUser(tx, { email, locale, is_example })
  if (roles.length > 0) await setStaffRoles(tx, user_id, roles)
  await updateUser(tx, user_id, { time_zone })
  await createProfile(tx, user_id)
  await updateProfileFields(tx, user_id, profile)
  await insertAddress(tx, { user_id, email, is_primary: true, verified: true })
  if (hash) await setPassword(app, tx, user_id, hash)
  return user_id
}

const loginOf = ({ email, password, roles }: Person): DemoLogin => ({
  email,
  password,
  role: roles.length > 0 ? 'staff' : 'customer',
})
