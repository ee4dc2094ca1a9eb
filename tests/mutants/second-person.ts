import { inFile, type Mutant } from './mutant.ts'

/** Mutants of the acts of staff on customers and on each other. */
export const secondPerson: readonly Mutant[] = [
  // Views.
  ...inFile(
    'foundation/server/http/access.ts',
    ['foundation/server/http/access.test.ts'],
    [
      [
        'return needed && refusalOfStaff(known, needed)',
        'return undefined',
        'a kind of thing may need a further permission',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/http/serve.ts',
    ['features/books/server/exports.test.ts'],
    [
      [
        "assertKind(contract, caller, Reflect.get(Object(input.body), 'kind'))",
        '',
        'a call is judged for the kind that its body names',
      ],
    ],
  ),
  ...inFile(
    'features/books/server/exports.ts',
    ['features/books/server/exports.test.ts'],
    [['assertKind(contract.fetchExport, caller, row.kind)', '', 'a file of the audit is for its readers']],
  ),
  ...inFile(
    'foundation/server/http/access.ts',
    ['features/customers/server/views.test.ts'],
    [["if (!viewable) return 'read_only_view'", '', 'a view answers what says so, and nothing else']],
  ),
  ...inFile(
    'foundation/server/session/views/queries.ts',
    ['features/customers/server/views.test.ts'],
    [
      ['and v.expires_at > now()\n', '\n', 'a view ends with its time'],
      ['v.session_id = ${session_id} and v.member_id = ${user_id}', 'true', 'a view is of one member'],
      ['not u.is_staff and ${maySignIn}', 'true', 'a locked account is not looked at'],
    ],
  ),
  ...inFile(
    'foundation/server/http/caller.ts',
    ['tests/system/access.test.ts'],
    [['!refusalOfStaff(caller, app.viewPermission) &&', '', 'a view ends with the permission to view']],
  ),
  ...inFile(
    'foundation/server/http/access.ts',
    ['tests/system/access.test.ts'],
    [
      [
        'if (access.orStaff) return refusalOfStaff(known, access.orStaff) === undefined',
        'if (access.orStaff) return refusalOfProvenMember(known) === undefined',
        'whoever lacks the permission is a customer at a call for both',
      ],
      [
        'if (access.orStaff) return refusalOfStaff(known, access.orStaff) === undefined',
        'if (access.orStaff) return mayDo(known.actor?.staff_roles ?? [], access.orStaff)',
        'staff read for others from their network and with their factor alone, at each call for both',
      ],
      [
        'access.orMember === true && refusalOfProvenMember(known) === undefined',
        'access.orMember === true && refusalOfMember(known) === undefined',
        'staff have a second factor',
      ],
      [
        'access.orMember === true && refusalOfProvenMember(known)',
        'refusalOfProvenMember(known)',
        'members of staff are customers where a call does not let them in as staff',
      ],
    ],
  ),
  // An account of one's own.
  ...inFile(
    'foundation/server/http/other-account.ts',
    ['tests/system/access.test.ts'],
    [
      [
        'const named: unknown[] = [Reflect.get(Object(params), USER)]',
        'const named: unknown[] = []',
        'nobody acts on an account of theirs that the path names',
      ],
      [
        "if (access.account === 'body') named.push(",
        'if (false) named.push(',
        'nobody acts on an account of theirs that the body names',
      ],
      [
        "if (typeof id === 'string' && ID.test(id)) named.push(await ownerOf(app.db, id))",
        '',
        'nobody acts on a thing of theirs',
      ],
    ],
  ),
  ...inFile(
    'database/baseline/01_foundation.sql',
    ['features/team/server/team.test.ts'],
    [
      [
        'if not new.staff_roles <@ old.staff_roles and',
        'if false and',
        'nobody gives themselves a role by a statement',
      ],
    ],
  ),
  ...inFile(
    'features/team/server/accept-invitation.ts',
    ['features/team/server/invitations.test.ts'],
    [
      [
        'await assertNotOwn(tx, invited_by, user_id)',
        '',
        'nobody brings in a second account of theirs alone',
      ],
    ],
  ),
  ...inFile(
    'features/team/server/roles-act.ts',
    ['features/team/server/second-owner.test.ts'],
    [
      [
        'introduced_by: people.approved_by === undefined ? member : undefined',
        'introduced_by: member',
        'a role that a second owner confirmed bars nobody',
      ],
    ],
  ),
  ...inFile(
    'features/profile/server/links.ts',
    ['features/finance/server/staff.test.ts'],
    [
      [
        "if (await shareIban(db, member, customer)) links.push('iban')",
        '',
        'one bank account suggests one person',
      ],
    ],
  ),
  // A second person.
  ...inFile(
    'foundation/server/approvals/with-approval.ts',
    ['features/approvals/server/approvals.test.ts'],
    [
      [
        'await lockByName(tx, `allowance:${actor.user_id}`)',
        '',
        'many at once do not exceed the allowance of a day',
      ],
      ['if (links.length > 0) return', 'if (links.length > 9) return', 'a soft link makes any amount wait'],
    ],
  ),
  ...inFile(
    'foundation/server/approvals/decide.ts',
    ['features/approvals/server/approvals.test.ts'],
    [
      ['if (proposed_by === actor.user_id)', 'if (false)', 'nobody decides on their own proposal'],
      [
        'return proposer?.is_active === true && mayDo(proposer.staff_roles, act.permission)',
        'return proposer !== undefined || mayDo([], act.permission)',
        'nothing runs for somebody who may not ask for it any more',
      ],
    ],
  ),

  ...inFile(
    'foundation/server/approvals/bars.ts',
    ['features/approvals/server/approvals.test.ts'],
    [['if (bar) throw', 'if (bar && !bar.why) throw', 'two persons are two']],
  ),
  ...inFile(
    'foundation/server/approvals/bars.ts',
    ['features/approvals/server/approvals.test.ts'],
    [
      [
        'await app.mayBeOne?.(app, db, proposer, decider)',
        'false',
        'nobody decides for an account of theirs',
      ],
      [
        'return until === null ? undefined',
        'return until !== undefined ? undefined',
        'nobody decides for who brought them in',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/approvals/allowances.ts',
    ['features/team/server/second-owner.test.ts'],
    [
      [
        'if ((await introductionsOf(db, [actor.user_id])).size > 0)',
        'if (!db)',
        'nobody acts alone who was just brought in',
      ],
    ],
  ),
  ...inFile(
    'features/profile/server/own-account.ts',
    ['features/finance/server/staff.test.ts'],
    [['(await areLinked(db, person, account))', 'false', 'nor an account of theirs']],
  ),
  ...inFile(
    'features/profile/server/claim-queries.ts',
    ['features/finance/server/staff.test.ts'],
    [['mine = theirs or are_tied(mine, theirs)', 'mine = theirs', 'nor one that they help or pay for']],
  ),
  ...inFile(
    'features/finance/server/vouchers.ts',
    ['features/catalogue/server/catalogue.test.ts'],
    [['app.acting?.person_id ?? user_id', 'user_id', 'nor by a voucher as a helper']],
  ),
  ...inFile(
    'features/team/server/members.ts',
    ['features/team/server/second-owner.test.ts'],
    [
      [
        "const always = given.includes('owner') !== before.includes('owner')",
        'const always = false',
        'one stolen session of an owner makes no second one',
      ],
    ],
  ),
  ...inFile(
    'features/team/server/invitations.ts',
    ['features/team/server/second-owner.test.ts'],
    [["body.roles.includes('owner')", 'false', 'nor by an invitation']],
  ),
  ...inFile(
    'features/customers/server/erase.ts',
    ['features/customers/server/export-erase.test.ts'],
    [
      ['links: [], always: true', 'links: [], always: false', 'nobody deletes a customer alone'],
      ['if (left > 0n && !isGivenUp)', 'if (false)', 'no balance goes with an account'],
      [
        "if (canonicalEmail(body.email) !== customer.email) throw badRequest('email_does_not_match', 'email')",
        '',
        'the account that is deleted is the one that was meant',
      ],
    ],
  ),

  // Accounts of customers.
  ...inFile(
    'features/customers/server/lock-customer.ts',
    ['features/customers/server/blocks.test.ts'],
    [
      ['if (actor) await assertNotOwn(tx, actor.user_id, user_id)', '', 'nobody acts on their own account'],
      ['if (customer.is_staff && !', 'if (customer.is_staff && ', 'members of staff are not blocked'],
    ],
  ),
  ...inFile(
    'features/customers/server/blocks.ts',
    ['features/customers/server/blocks.test.ts'],
    [
      [
        "level === 'locked' ? await endSessionsOf(tx, user_id) : 0",
        '0',
        'no session outlives the lock of an account',
      ],
    ],
  ),
  ...inFile(
    'features/customers/server/factor-reset-queries.ts',
    ['features/customers/server/factor-resets.test.ts'],
    [
      [
        ".where('due_at', '<=', sql<Date>`now()`)",
        ".where('due_at', '<=', sql<Date>`now() + interval '1 year'`)",
        'a second factor goes after the waiting time only',
      ],
    ],
  ),
  ...inFile(
    'features/profile/server/export-link.ts',
    ['features/customers/server/export-erase.test.ts'],
    [['if (!primary?.verified)', 'if (!primary)', 'data go to no address that is only claimed']],
  ),
  ...inFile(
    'features/profile/server/export-queries.ts',
    ['features/customers/server/export-erase.test.ts'],
    [[".where('expires_at', '>', sql<Date>`now()`)", '', 'a link to all data ends']],
  ),
]
