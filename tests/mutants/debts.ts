import { inFile, type Mutant } from './mutant.ts'

/** Mutants of debts and of the suspensions that they cause. */
export const debts: readonly Mutant[] = [
  ...inFile(
    'features/licences/server/feature.ts',
    ['features/licences/server/debts.test.ts'],
    [['if (balance >= 0n) ', '', 'a part payment lifts no suspension']],
  ),
  ...inFile(
    'features/licences/server/debts.ts',
    ['features/licences/server/debts.test.ts'],
    [
      ['liftForDebt(tx, debt)', 'Promise.resolve([])', 'a payment lifts what the debt suspended'],
      [
        'const balance = await lockBalanceOf(app, tx, user_id)\n    const found = await queries.lockDebt(tx, user_id)',
        `const balance = (await tx.selectFrom('balances').select('balance').where('user_id', '=', user_id).executeTakeFirst())?.balance ?? 0n
    const seen = await tx.selectFrom('debts').selectAll().where('user_id', '=', user_id).where('settled_at', 'is', null).executeTakeFirst()
    const found = seen && { ...seen, now: new Date() }`,
        'a payment that comes between the look and the suspension leaves nothing suspended',
      ],
    ],
  ),
  ...inFile(
    'features/licences/server/debt-steps.ts',
    ['features/licences/server/debt-steps.test.ts'],
    [
      ['DAY_MS / 2', '0', 'after an outage a suspension leaves time to pay'],
      ['findLast(', 'find(', 'after an outage only the latest step is taken'],
    ],
  ),
]
