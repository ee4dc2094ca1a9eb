import { actedFor } from '#foundation/web/acting.ts'
import { VIEWING } from '#foundation/web/viewing.ts'
import { onSignedInChange } from '#foundation/web/api/stored-session.ts'
import { isDelegable } from './delegable.ts'

/** Starts the pages. If the tab shows the account of somebody else, its calls name that account. */
export function startActing(start: () => void): void {
  const account = actedFor()
  if (account) nameAccount(account.id)
  // The next person to sign in has nothing to do with that account.
  onSignedInChange((signedIn) => {
    if (!signedIn) sessionStorage.removeItem(VIEWING)
  })
  start()
}

/**
 * Makes the calls of this tab name the account. It wraps the browser's own `fetch`, so that people who help nobody load none of
 * this code, and no call that is added one day can leave this tab for another account than the one in sight.
 */
function nameAccount(id: string): void {
  const { fetch } = window
  window.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input.toString(), window.location.href)
    if (!isDelegable(url.pathname) || url.searchParams.has('for')) return fetch(input, init)
    url.searchParams.set('for', id)
    return fetch(input instanceof Request ? new Request(url, input) : url, init)
  }
}
