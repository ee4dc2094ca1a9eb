import type { Case } from './small-trees.ts'

/** Small trees that find a person in another way than by a proven address: rule 36 (rules.test.ts). */
export const addresses: Case[] = [
  {
    rule: 'a person is found by a proven address only',
    broken: { 'features/staff/server/queries.ts': "tx.selectFrom('users').where('email', '=', email)" },
    says: 'features/staff/server/queries.ts looks for a person by an address: call findAccountByProvenEmail',
    mended: {
      'features/profile/server/claim-queries.ts':
        "tx.selectFrom('email_addresses').where('email', '=', email)",
    },
  },
  {
    rule: 'a person is found by a proven address only',
    broken: { 'features/staff/server/queries.ts': 'sql`select id from users where email = ${email}`' },
    says: 'features/staff/server/queries.ts looks for a person by an address: call findAccountByProvenEmail',
    mended: { 'features/staff/server/queries.ts': 'sql`select email from users where id = ${id}`' },
  },
  {
    rule: 'a person is found by a proven address only',
    broken: { 'app/cli/money.ts': 'await accountToSignIn(app.db, email)' },
    says: 'app/cli/money.ts finds a person by an unproven claim: call findAccountByProvenEmail.',
    mended: { 'app/cli/money.ts': 'await findAccountByProvenEmail(app.db, email)' },
  },
  {
    rule: 'a person is found by a proven address only',
    broken: { 'app/cli/money.ts': 'const [found] = await findPeople(app.db, email, 1)' },
    says: 'app/cli/money.ts takes a person from a search: call findAccountByProvenEmail.',
    mended: { 'app/cli/money.ts': 'await findAccountByProvenEmail(app.db, email)' },
  },
  {
    rule: 'a person is found by a proven address only',
    broken: { 'app/cli/create-staff.ts': 'await insertAddress(tx, { email, verified: true })' },
    says: 'app/cli/create-staff.ts makes an account or proves an address: write an invitation.',
    mended: { 'app/cli/create-staff.ts': 'await invite(app, tx, { email, roles })' },
  },
]
