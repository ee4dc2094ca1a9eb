import { firstPagePaths, paths } from '#features/paths.ts'
import { fetchProfile, keptProfile } from '#features/profile/web/hooks.ts'
import { listGrants } from '#features/sharing/contract.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { hasJustSignedIn } from '#foundation/web/api/stored-session.ts'
import { raceWithTimeout } from './first-page.ts'

// A profile that does not come leads to the servers, which say what failed.
const PATIENCE_ms = 5000

/**
 * Returns the page that `/` leads to: the servers, or the page that a member of staff has chosen (row R-12). A sign-in leads to an invitation
 * that waits for its answer, because the link of its mail may have been opened in another browser.
 */
export async function homePage(): Promise<string> {
  if (actedFor()) return paths.hosts()
  const invited = hasJustSignedIn() ? isInvited() : false
  await raceWithTimeout(fetchProfile(), PATIENCE_ms)
  if (await invited) return paths.people()
  return firstPagePaths[keptProfile()?.first_page ?? 'servers']
}

const isInvited = (): Promise<boolean> =>
  call(listGrants, { query: { side: 'received' } }, { signal: AbortSignal.timeout(PATIENCE_ms) }).then(
    (answer) => answer.status === 200 && answer.body.items.some(({ state }) => state === 'invited'),
    () => false,
  )
