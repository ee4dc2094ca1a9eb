import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import type { MailLocale, MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { findAccountByProvenEmail } from './claim-queries.ts'
import { addressesOf } from './queries.ts'

// An offer is mailed to an address that may be anybody's, and holds no key that could be forwarded or stolen: it finds the account that has
// proven the address (rule 36, docs/decisions/163).

/** Returns the proven addresses of an account: an offer to one of these finds the account, an offer to another address does not. */
export async function provenAddresses(db: App['db'], user_id: string): Promise<string[]> {
  return (await addressesOf(db, user_id)).filter(({ verified }) => verified).map(({ email }) => email)
}

/** True if an offer to this address is for this account; false for an address that is erased. */
export async function isOfferedTo(db: App['db'], user_id: string, email: string | null): Promise<boolean> {
  return email !== null && (await provenAddresses(db, user_id)).includes(email)
}

/** Throws 400 `own_address` for an offer to oneself. */
export async function assertForeign(tx: Tx, user_id: string, email: string): Promise<void> {
  if ((await addressesOf(tx, user_id)).some((own) => own.email === email))
    throw badRequest('own_address', 'email')
}

/** Returns the accounts that an offer concerns, each once: these, and the one that has proven the address that was asked. */
export async function peopleOf(
  tx: Tx,
  { accounts, email }: { accounts: readonly (string | null)[]; email: string | null },
): Promise<string[]> {
  const asked = email === null ? undefined : await findAccountByProvenEmail(tx, email)
  const people = [...accounts, asked?.user_id].filter((person) => typeof person === 'string')
  return [...new Set(people)].toSorted()
}

/** Mails an address that somebody named, in the language of the account that has proven it, or else in `locale`. */
export async function mailToAddress<Values>(
  app: App,
  tx: Tx,
  { email, locale }: { email: string; locale: MailLocale },
  template: MailTemplate<Values>,
  values: NoInfer<Values>,
): Promise<void> {
  const account = await findAccountByProvenEmail(tx, email)
  const user = account && (await findUser(tx, account.user_id))
  const mail = { user_id: null, to: email, locale: user?.locale ?? locale }
  await enqueueMail(app, tx, { ...mail, template, values })
}
