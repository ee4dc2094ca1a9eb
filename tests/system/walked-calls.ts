import { inspect } from 'node:util'
import type { Route } from '#foundation/contract.ts'
import type { Knocker } from './knockers.ts'

type Walked = { contract: Route; of: string }

/**
 * Returns the calls that each kind of caller makes to a running server: all of them, but for members only those that depend on roles. Fewer
 * are enough where the server judges by lines that another caller has walked whole: whoever is known as an earlier caller was (which often
 * means not at all), and members with two roles, make one call of each policy.
 */
export function walksOf<One extends Walked>(
  knockers: Readonly<Record<string, Knocker>>,
  walked: readonly One[],
): (knocker: Knocker) => readonly One[] {
  const alike = alikeOf(Object.values(knockers))
  const concerningStaff = walked.filter(({ contract, of }) => of === 'fixtures' || concernsStaff(contract))
  return (knocker) => {
    const whole = knocker.isMember ? concerningStaff : walked
    return alike.has(knocker) || hasTwoRoles(knocker) ? ofEachPolicy(whole) : whole
  }
}

function alikeOf(knockers: readonly Knocker[]): ReadonlySet<Knocker> {
  const known = new Set<string>()
  return new Set(knockers.filter((one) => known.has(knownOf(one)) || !known.add(knownOf(one))))
}

/** The facts that the server knows of a caller once it has read who calls. */
const knownOf = ({ known, strictly }: Knocker) => inspect([known, strictly], { depth: 5 })

const hasTwoRoles = ({ known }: Knocker) => known?.actor?.staff_roles.length === 2

const concernsStaff = ({ access }: Route) =>
  access.who === 'staff' || access.who === 'member' || access.orStaff !== undefined

/** Returns one call of each policy, style and server. */
function ofEachPolicy<One extends Walked>(walked: readonly One[]): One[] {
  const policyOf = ({ contract: { access, style, viewable }, of }: One) =>
    inspect([of, access, style, viewable], { depth: 5 })
  return [...new Map(walked.map((one) => [policyOf(one), one])).values()]
}
