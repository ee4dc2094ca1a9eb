import { paths } from '#features/paths.ts'
import { linkNames } from '#features/auth/web/link-names.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'

/** Returns the key in the link of a confirmation mail; undefined if the query has none. */
export const keyToConfirm = (query: string): string | undefined =>
  new URLSearchParams(query).get(linkNames.verify) ?? undefined

/** Returns the path of the invitation page if the query holds the key of an invitation. */
export function invitationIn(query: string): string | undefined {
  const key = new URLSearchParams(query).get(linkNames.invite)
  return key === null ? undefined : paths.invitation({ key })
}

/** The dialog that confirms an address for somebody who is signed in already. */
export const ConfirmAddress = lazyPart(() =>
  import('./confirm-address.tsx').then((file) => file.ConfirmAddress),
)

/** Shows a toast that says that the link of a password reset works only after signing out; the link stays valid. */
export const askToSignOut = () => void import('./ask-to-sign-out.ts').then((file) => file.askToSignOut())
