import { addPlan } from '#features/licences/server/licences.ts'
import { createProfile, addAddress, fillProfile } from '#features/profile/server/profile.ts'
import { hashPassword, setPassword, type PasswordHash } from '#features/security/server/security.ts'
import type { App } from '#foundation/server/app.ts'
import { takeTurns, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { createUser, hasUsers } from '#foundation/server/session/session.ts'
import { people, type Person } from './people.ts'
import { plans } from './plans.ts'

export type DemoLogin = { email: string; password: string; role: 'customer' | 'staff' }

/**
 * Moves the example people into an empty installation and tells their logins; an installation that has accounts is left
 * alone. One transaction, so that a kill half-way leaves an empty installation and not half a cast.
 */
export async function seedDemo(app: App): Promise<{ logins: DemoLogin[] }> {
  if (await hasUsers(app.db)) return { logins: [] }
  const hashes = await Promise.all(people.map((person) => hashPassword(person.password)))
  const moved = await transaction(app, 'system', async (tx) => {
    // Two processes may start at once: the second waits here and then finds the house full.
    await takeTurns(tx, 'demo')
    if (await hasUsers(tx)) return false
    for (const plan of plans) await addPlan(tx, plan)
    for (const [place, person] of people.entries()) await moveIn(app, tx, person, hashes[place]!)
    return true
  })
  return { logins: moved ? people.map(loginOf) : [] }
}

/** Gives one of the cast an account, as if they had signed up, verified their address and filled their profile. */
export async function moveIn(app: App, tx: Tx, person: Person, hash: PasswordHash): Promise<string> {
  const { email, password: _, is_staff, locale, ...profile } = person
  const user_id = await createUser(tx, { email, locale, is_staff })
  await createProfile(tx, user_id)
  await fillProfile(tx, user_id, profile)
  await addAddress(tx, { user_id, email, is_primary: true, verified: true })
  await setPassword(app, tx, user_id, hash)
  return user_id
}

const loginOf = ({ email, password, is_staff }: Person): DemoLogin => ({
  email,
  password,
  role: is_staff ? 'staff' : 'customer',
})
