import { inFile, type Mutant } from './mutant.ts'

const foreign = ['tests/system/foreign.test.ts']
const runs = ['features/sales/server/fill-balances.test.ts']
const statements = ['features/statements/server/statements.test.ts']

/** Mutants of what of the money is read and changed by its owner alone. */
export const owners: readonly Mutant[] = [
  ...inFile('features/sales/server/checkout-queries.ts', foreign, [
    [
      'where c.public_id = ${public_id} and c.user_id = ${user_id}',
      'where c.public_id = ${public_id} and ${user_id}::uuid is not null',
      'an order that pays itself is its owner’s alone',
    ],
  ]),
  ...inFile('features/methods/server/queries.ts', foreign, [
    [
      'where m.user_id = ${user_id} and m.public_id = ${public_id}',
      'where ${user_id}::uuid is not null and m.public_id = ${public_id}',
      'a payment method is its owner’s alone',
    ],
  ]),
  ...inFile('features/auto-top-ups/server/run-queries.ts', runs, [
    [
      'where r.public_id = ${public_id} and r.user_id = ${user_id}',
      'where r.public_id = ${public_id} and ${user_id}::uuid is not null',
      'a run is its owner’s alone',
    ],
  ]),
  ...inFile('features/statements/server/queries.ts', statements, [
    [
      'and s.user_id = ${user_id} and s.month = ${month}',
      'and ${user_id}::uuid is not null and s.month = ${month}',
      'a statement is its owner’s alone',
    ],
  ]),
]
