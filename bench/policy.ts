import { routes } from '#app/server/features.ts'
import { refusalOf } from '#foundation/server/http/access.ts'
import type { Figure } from '#tools/figures/table.ts'

const ROUNDS = 200

/**
 * Measures how long it takes to decide whether a member of staff may make a call, on average over all calls. The test
 * tests/system/access.test.ts counts the statements that this needs.
 */
export function measurePolicy(): Figure[] {
  const actor = { staff_roles: ['support', 'billing'], factor: 'proven', access: 'open' } as const
  const known = { actor, gone: false, in_staff_network: true, is_recent: true, asks_factor: true }
  let refused = 0
  const begun = performance.now()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { contract } of routes) if (refusalOf(contract, known)) refused += 1
  const each = (performance.now() - begun) / (ROUNDS * routes.length)
  const note = `${routes.length} calls, ${refused / ROUNDS} of them refused`
  return [{ name: 'policy of a call', value: each, unit: 'ms', most: 0.2, note }]
}
