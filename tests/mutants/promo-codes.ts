import { inFile, type Mutant } from './mutant.ts'

const one = ['features/sales/server/promo.test.ts']
const several = ['features/sales/server/promo-of-several.test.ts']
const extras = ['features/sales/server/extras.test.ts']
const L = 'features/licences/server/'

/** Mutants of promo codes: who uses them, how often, and what they take off (rule 66). */
export const promoCodes: readonly Mutant[] = [
  ...inFile(`${L}promo-codes.ts`, one, [
    ['if (found.used >= found.uses)', 'if (false)', 'a code has so many uses'],
    ['if (await queries.hasUsed(db, found.id, user_id))', 'if (false)', 'an account uses a code once'],
    ['if (found.first_order_only && (await', 'if (false && (await', 'a code is for a first order'],
    [
      'if (found.ended_at !== null || found.is_expired)',
      'if (found.is_expired)',
      'a code that was ended ends',
    ],
    ['if (found.ended_at !== null || found.is_expired)', 'if (found.ended_at !== null)', 'a code expires'],
    ['if (found.made_by !== null) await', 'if (false) await', 'nobody sells to themselves for nothing'],
    ['app.acting?.person_id ?? user_id', 'user_id', 'nor as a helper'],
    ['found.currency !== app.config.currency', 'false', 'an amount of another currency is none'],
    ['await lockByName(tx, `promo:${code}`)\n  const', 'const', 'orders with one code take turns'],
    ['if (!isUnknown(error)) await attempt', 'await attempt', 'codes are not guessed at will'],
  ]),
  ...inFile(`${L}promo-price.ts`, one, [
    ['!holdsFor(promo, edition)', 'false', 'a code lowers its editions alone'],
    ['promo.left > 0 ?', 'true ?', 'a code holds for so many renewals'],
    ['off < list ? list - off : 0n', 'list - off', 'no price is below zero'],
    ['left: promo.left - 1', 'left: promo.left', 'each renewal counts'],
  ]),
  ...inFile('features/sales/server/purchase.ts', one, [
    [
      'if (wish.promo !== undefined) await',
      'if (false) await',
      'the first order is judged with the balance locked',
    ],
  ]),
  ...inFile('features/sales/server/bulk-write.ts', several, [
    [
      'await assertStillFirst(tx, user_id, promo)',
      '',
      'the first order of several is judged with the balance locked',
    ],
  ]),
  ...inFile('features/sales/server/promo.ts', one, [
    ['if (price.promo === null) throw otherEdition()', '', 'a code that lowers nothing is not used up'],
    ['lowered(list, plan, heldBy(host))', 'lowered(list, plan, null)', 'a code goes on with the renewals'],
  ]),
  ...inFile('features/sales/server/promo.ts', several, [
    ['share ? { ...promo, amount', 'false ? { ...promo, amount', 'an amount is taken off once'],
    ['if (holds.length === 0 && ', 'if (false && ', 'a code that lowers none is not used up'],
  ]),
  ...inFile('features/sales/server/promo.ts', extras, [
    ['bigint => net - netOf(extras)', 'bigint => net', 'a code lowers no extra'],
  ]),
]
