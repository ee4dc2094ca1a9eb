import { foreign } from './foreign.ts'
import { banking } from './banking.ts'
import { bulks } from './bulks.ts'
import { checkIns } from './check-ins.ts'
import { debts } from './debts.ts'
import { desk } from './desk.ts'
import { facts } from './facts.ts'
import { seller } from './seller.ts'
import { licences } from './licences.ts'
import { inFile, type Mutant } from './mutant.ts'
import { answers } from './answers.ts'
import { audit } from './audit.ts'
import { money } from './money.ts'
import { queue } from './queue.ts'
import { page } from './page.ts'
import { payers } from './payers.ts'
import { place } from './place.ts'
import { transfers } from './transfers.ts'
import { signIn } from './sign-in.ts'
import { text } from './text.ts'
import { sharing } from './sharing.ts'
import { robots } from './robots.ts'
import { programs } from './programs.ts'
import { merges } from './merges.ts'
import { moves } from './moves.ts'
import { ways } from './ways.ts'
import { reissues } from './reissues.ts'
import { secondPerson } from './second-person.ts'
import { secretsAndRedaction } from './secrets.ts'

export const mutants: readonly Mutant[] = [
  // Money.
  ...inFile(
    'features/finance/server/balance-cap.ts',
    ['features/finance/server/top-ups.test.ts', 'features/finance/server/vouchers.test.ts'],
    [
      [
        'balance + amount > app.config.topUp.balanceCap',
        'balance > app.config.topUp.balanceCap',
        'a balance above the cap is money that is owed',
      ],
    ],
  ),
  ...inFile(
    'features/finance/server/ledger.ts',
    ['features/invoices/server/vat-in-ledger.test.ts', 'features/finance/server/ledger.test.ts'],
    [
      ['amount: -sign * (amount - vat - gift)', 'amount: -sign * (amount - gift)', 'VAT is no revenue'],
      ["name: movement.vat?.country ?? ''", "name: 'DE'", 'VAT is owed to the country of the document'],
    ],
  ),
  ...inFile(
    'features/licences/server/plan-queries.ts',
    ['features/operations/server/system.test.ts'],
    [
      ['  production && !(await allPlans', '  !(await allPlans', 'a trial lacks no plan'],
      ['.some((plan) => plan.is_sold)', '.some(() => false)', 'with a plan for sale none is missing'],
    ],
  ),
  ...inFile(
    'features/operations/web/setup-list.tsx',
    ['app/web/staff-features.test.tsx'],
    [['enabled: mayWork && mayRead', 'enabled: true', 'only those who may read System ask for it']],
  ),
  ...foreign,
  ...page,
  ...text,
  ...answers,
  ...checkIns,
  ...debts,
  ...desk,
  ...money,
  ...inFile(
    'features/invoices/server/credit.ts',
    ['features/invoices/server/vat.test.ts'],
    [['    original.vat_rate_bp,\n  )', '    1900n,\n  )', 'VAT as invoiced is given back']],
  ),
  ...reissues,
  ...place,
  ...inFile(
    'features/finance/server/vouchers.ts',
    ['features/finance/server/vouchers.test.ts'],
    [
      [
        'if (by_user || used >= voucher.uses)',
        'if (used >= voucher.uses)',
        'a voucher is redeemed once a customer',
      ],
      [
        'if (!wrong) await attempt.release()',
        'await attempt.release()',
        'codes of vouchers cannot be tried at will',
      ],
    ],
  ),
  ...inFile(
    'features/finance/server/voucher-queries.ts',
    ['features/finance/server/vouchers.test.ts'],
    [['(expires_at is null or expires_at > now())', 'true', 'an expired voucher gives nothing']],
  ),
  ...inFile(
    'features/finance/server/top-ups.ts',
    ['features/finance/server/top-ups.test.ts'],
    [['if (amount > max) throw', 'if (amount > max * 10n) throw', 'a top-up stays below its limit']],
  ),

  // VAT and invoices.
  ...facts,
  ...seller,
  ...inFile(
    'features/invoices/server/amounts.ts',
    ['features/invoices/server/amounts.test.ts'],
    [
      [
        'within(rounded, amount - least(amount, left.vat), least(amount, left.net))',
        'rounded',
        'credit notes give back no more net or VAT than is left',
      ],
    ],
  ),
  ...inFile(
    'features/invoices/server/billing.ts',
    ['features/invoices/server/billing.test.ts'],
    [
      [
        'address.verified && address.email === email',
        'address.email === email',
        'invoices go to no mailbox whose owner did not ask for them',
      ],
    ],
  ),
  ...inFile(
    'features/invoices/server/queries.ts',
    ['features/invoices/server/invoices.test.ts', 'features/invoices/server/download.test.ts'],
    [
      [
        'where i.public_id = ${public_id} and ${mayRead(user_id)}`',
        'where i.public_id = ${public_id} and ${user_id}::uuid is not null`',
        'an invoice is read by its owner alone',
      ],
    ],
  ),

  // Signing in, lock-out and limits.
  ...inFile(
    'features/auth/server/login.ts',
    ['features/auth/server/races.test.ts', 'features/auth/server/login.test.ts'],
    [
      [
        'if ((await passwordSetAt(tx, user_id)) !== setAt) throw mismatch()',
        '',
        'a password that is being changed lets nobody in any more',
      ],
    ],
  ),
  ...inFile(
    'features/auth/server/login.ts',
    ['features/auth/server/races.test.ts', 'features/auth/server/login.test.ts'],
    [
      [
        'if (!(await consumePending(tx, pending))) return undefined',
        'await consumePending(tx, pending)',
        'a second step makes one session',
      ],
    ],
  ),
  ...inFile(
    'features/auth/server/signup.ts',
    ['features/auth/server/signup.test.ts'],
    [
      [
        'if (owned) return pretend(call, tx, { owned, hash, earlier })',
        "if (owned) throw badRequest('email_taken', 'email')",
        'a sign-up does not tell who has an account',
      ],
    ],
  ),
  ...inFile(
    'features/auth/server/password-reset.ts',
    ['features/auth/server/password-reset.test.ts', 'features/auth/server/races.test.ts'],
    [
      [
        "if (!(await queries.useResetKey(tx, hashToken(key)))) throw badRequest('invalid_password_reset', 'key')",
        'await queries.useResetKey(tx, hashToken(key))',
        'a link of a mail sets one password',
      ],
      [
        '    await endSessionsOf(tx, user_id)\n',
        '',
        'another password ends the sessions of whoever knew the old one',
      ],
    ],
  ),
  ...inFile(
    'features/security/server/attempts.ts',
    ['features/auth/server/lock-out.test.ts', 'features/security/server/races.test.ts'],
    [
      [
        "...(isKnown ? [] : [await count(app, app.db, 'login_failure_anywhere', secret)]),",
        '',
        'a password is not guessed from many networks at once',
      ],
      [
        'await refuseLocked(app, caller, [byAddress, byUser], {',
        'await refuseLocked(app, caller, [byAddress], {',
        'a code of six digits is guessed five times at most',
      ],
    ],
  ),
  ...inFile(
    'features/security/server/change-password.ts',
    ['features/security/server/change-password.test.ts'],
    [['await endSessionsOf(tx, user_id, session_id)', '', 'another password ends all other sessions']],
  ),
  ...signIn,
  ...inFile(
    'foundation/server/session/queries.ts',
    ['foundation/server/session/session.test.ts'],
    [
      [
        '\n    and s.created_at > now() - make_interval(secs => ${lifetimes.session_longest_s})',
        '',
        'a session ends, however active it is',
      ],
      [
        "where s.id = any(${arrayOf(ids, 'bigint')}) and ${maySignIn} and ${isLive(app)}",
        "where s.id = any(${arrayOf(ids, 'bigint')}) and ${isLive(app)}",
        'a deactivated account is out at its next call',
      ],
    ],
  ),

  // Access to data of others.
  ...inFile(
    'foundation/server/http/access.ts',
    [
      'foundation/server/http/access.test.ts',
      'foundation/server/http/serve.test.ts',
      'tests/system/access.test.ts',
    ],
    [
      [
        'mayDo(known.actor?.staff_roles ?? [], permission)',
        'true',
        'a call of staff is for those who hold its permission',
      ],
      [
        "actor.staff_roles.length === 0) return 'not_allowed'",
        "!in_staff_network) return 'not_allowed'",
        'calls of staff are not for customers',
      ],
      [
        "proof !== 'recent' || !known.actor || known.is_recent",
        "proof !== 'recent' || !known.actor",
        'what matters most wants a fresh proof',
      ],
    ],
  ),
  ...inFile(
    'features/support/tickets/server/queries.ts',
    ['features/support/tickets/server/tickets.test.ts', 'tests/system/foreign.test.ts'],
    [['coalesce(asked.owner, t.user_id)', 't.user_id', 'a ticket is read by its customer and staff']],
  ),
  ...inFile(
    'features/support/files/server/heic-thread.ts',
    ['features/support/files/server/hostile-files.test.ts'],
    [
      ['width * height > MOST_PIXELS', 'false', 'a picture of a phone has 25 megapixels at most'],
      ['+ pages > MOST_PAGES', '+ pages < 0', 'the reader of such a picture has 512 MB'],
    ],
  ),
  ...inFile(
    'features/support/files/server/heic.ts',
    ['features/support/files/server/hostile-files.test.ts'],
    [
      [
        'setTimeout(() => void thread.terminate(), seconds * 1000)',
        'setTimeout(() => {}, 0)',
        'and ends in time',
      ],
    ],
  ),
  ...inFile(
    'features/support/files/server/file-queries.ts',
    ['features/support/files/server/attach.test.ts', 'tests/system/foreign.test.ts'],
    [
      [
        "eb('user_id', '=', user_id), eb('note', '=', false)",
        "eb('note', '=', false)",
        'a file of a ticket is read by its customer and staff',
      ],
      [
        "eb('user_id', '=', user_id), eb('note', '=', false)",
        "eb('user_id', '=', user_id)",
        'a file of a note is for staff alone',
      ],
    ],
  ),
  ...inFile(
    'features/hosts/server/own-host-queries.ts',
    ['features/hosts/server/hosts.test.ts'],
    [
      [
        '): string => `${user_id} ${public_id}`',
        '): string => `${public_id} ${user_id.length}`',
        'a server is read by its owner alone',
      ],
    ],
  ),
  ...inFile(
    'features/hosts/server/list-queries.ts',
    ['features/hosts/server/list.test.ts'],
    [
      ['sql`h.user_id = asked.owner`', 'sql`true`', 'a list shows the own servers alone'],
      ['found.get(place + 1)', 'found.get(1)', 'whoever asks at the same time gets the own list'],
    ],
  ),
  ...inFile(
    'features/finance/server/transactions-queries.ts',
    ['features/finance/server/transactions.test.ts'],
    [['found.get(place + 1)', 'found.get(1)', 'whoever asks at the same time gets the own transactions']],
  ),

  // Privacy and deletion.
  ...inFile(
    'features/profile/server/erase-account.ts',
    ['features/profile/server/profile.test.ts'],
    [
      ['  await erase(tx, user_id)\n', '', 'whoever deletes the account is forgotten'],
      ['  await forgetAnswers(tx, user_id)\n', '', 'kept answers tell what a person called a server'],
      ['  await endSessionsOf(tx, user_id)\n', '', 'a deleted account is signed out everywhere'],
    ],
  ),

  // The outbox of mails.
  ...inFile(
    'foundation/server/mail/deliver.ts',
    ['foundation/server/mail/outbox.test.ts'],
    [
      [
        "(command === 'RCPT TO' || command === 'DATA') && responseCode >= 550 && responseCode < 560",
        'responseCode >= 500',
        'a refusal of ourselves gives up no mail',
      ],
    ],
  ),
  ...inFile(
    'foundation/server/mail/queries.ts',
    ['foundation/server/mail/outbox.test.ts'],
    [
      [
        "where id = ${id} and state in ('owed', 'sending') and next_at <= now() and ${isFree}",
        "where id = ${id} and state in ('owed', 'sending') and next_at <= now()",
        'a mail that one process is sending is not sent by another',
      ],
      [
        "case when class = 'security' then ${instead} else content end",
        'content',
        'a link to set a password is not kept once it was sent',
      ],
      [
        "where state in ('owed', 'sending') and next_at <",
        "where state = 'owed' and next_at <",
        'a mail whose process died while sending is sent by another',
      ],
    ],
  ),
  ...queue,

  // The time of licences.
  ...inFile(
    'features/licences/server/licences.ts',
    ['features/licences/server/periods.test.ts', 'features/sales/server/sales.test.ts'],
    [
      [
        'const moved = movedUp(ahead.slice(place + 1), {',
        'const moved = ((periods: typeof ahead, _: object) => periods)(ahead.slice(place + 1), {',
        'runtime that was paid for moves up behind a refund',
      ],
      [
        'if (!runsOn && host.auto_renew) await setAutoRenew(tx, host, false)',
        '',
        'what was given back is not bought again',
      ],
    ],
  ),
  ...inFile(
    'features/sales/server/purchase.ts',
    ['features/sales/server/price-changed.test.ts', 'features/sales/server/buyer-address.test.ts'],
    [
      [
        'if (expected_total && !isSameMoney(expected_total, toMoney(total, app.config.currency)))',
        'if (expected_total && !total)',
        'nobody pays another price than they were shown',
      ],
      [
        'if (!automatic) await requireParties',
        'if (automatic) await requireParties',
        'an invoice above 250 euros names its buyer',
      ],
    ],
  ),
  ...inFile(
    'features/licences/server/document.ts',
    ['features/licences/server/document.test.ts'],
    [
      [
        'Math.min(iat + DOCUMENT_LIFETIME_S',
        'Math.min(iat + 10 * DOCUMENT_LIFETIME_S',
        'a licence document does not outlive its days',
      ],
    ],
  ),

  ...bulks,
  ...licences,
  ...secondPerson,
  ...sharing,
  ...programs,
  ...robots,
  ...ways,
  ...merges,
  ...moves,
  ...audit,
  ...payers,
  ...transfers,
  ...banking,
  ...secretsAndRedaction,

  // Requests that are repeated with their key.
  ...inFile(
    'foundation/server/idempotency/with-idempotency-key.ts',
    ['foundation/server/idempotency/with-idempotency-key.test.ts'],
    [
      ['if (!stored.request_hash.equals(request_hash))', 'if (false)', 'a key answers its own request only'],
      ['if (stored) return replayAnswer(stored, use.request_hash)', '', 'what was done is not done again'],
    ],
  ),
]
