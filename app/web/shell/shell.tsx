import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { paths } from '#features/paths.ts'
import { fetchProfile, useProfile } from '#features/profile/web/hooks.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { queryClient } from '#foundation/web/api/query.ts'
import { operator } from '#foundation/web/operator.ts'
import { LegalLinks } from '#foundation/web/ui/legal-links.tsx'
import { isFirstPage, raceWithTimeout } from '../first-page.ts'
import { EarlyShortcuts } from './early-shortcuts.tsx'
import { MobileFooter, StaffFooterItem } from './mobile-footer.tsx'
import { MobileHeader } from './mobile-header.tsx'
import { StaffSection } from './navigation-items.tsx'
import { SideRail } from './side-rail.tsx'
import { keptPermissions } from './staff-menu.ts'
import { useProfileFailure, useProfileLanguage, useProfileTimeZone } from './person.ts'
import { useOwnPages } from './acting-pages.ts'
import { useLivePages } from './use-live-pages.ts'
import { useUnreadInTitle } from './unread.ts'

/**
 * Waits a moment for the profile at the first page, so that the page is drawn once, whole, and not first with grey boxes; for staff
 * also for the code of their menu. Does nothing for later pages.
 */
export async function shellData(): Promise<void> {
  if (!isFirstPage()) return
  const parts = keptPermissions() ? [StaffSection, StaffFooterItem] : []
  await Promise.all([
    raceWithTimeout(fetchProfile()),
    // A part that cannot be loaded says so in its place.
    ...parts.map((part) => part.preload().catch(() => {})),
  ])
}

const StaffOnly = lazyPart<{ needs: true | string }>(() =>
  import('./staff-only.tsx').then((file) => file.StaffOnly),
)

const AccessReview = lazyPart(() => import('../access-review.tsx').then((file) => file.AccessReview))

const BlockedNotice = lazyPart<{ message: string }>(() =>
  import('../blocked-notice.tsx').then((file) => file.BlockedNotice),
)

const MissingNotice = lazyPart(() =>
  import('#features/operations/web/missing-notice.tsx').then((file) => file.MissingNotice),
)

/** The pages that staff see first: the one that a sign-in leads to, and the desk. */
const FIRST_OF_STAFF: readonly (string | undefined)[] = [paths.hosts.pattern, paths.desk.pattern]

const TermsPrompt = lazyPart(() =>
  import('#features/legal/web/terms-prompt.tsx').then((file) => file.TermsPrompt),
)

const ActingBand = lazyPart(() =>
  import('#features/sharing/web/acting-band.tsx').then((file) => file.ActingBand),
)

/** The frame of all pages but auth and logout (rows ): a rail from 768 px on, and a header and a footer on smaller screens. */
export function Shell() {
  // The next person at this screen must not see data that the last person had loaded (row A-11).
  useEffect(() => () => queryClient.clear(), [])
  return (
    <QueryClientProvider client={queryClient}>
      <ShellLayout />
    </QueryClientProvider>
  )
}

function ShellLayout() {
  const page = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.page })
  useOwnPages()
  useProfileLanguage()
  useProfileFailure()
  useProfileTimeZone()
  useLivePages()
  useUnreadInTitle()
  const { data: person } = useProfile()
  return (
    // The window scrolls, not a box in it, so that phones hide their own bars, and a tap on the status bar scrolls to the top.
    <div className="flex min-h-dvh flex-col md:flex-row print:block print:min-h-0">
      <SideRail />
      <MobileHeader spacer={page?.mobileHeader === 'spacer'} />
      <main
        id="content"
        tabIndex={-1}
        className="min-w-0 flex-1 px-4 py-6 outline-none sm:px-6 lg:px-10 lg:py-10 print:p-0"
      >
        {actedFor() ? (
          <Suspense fallback={null}>
            <ActingBand />
          </Suspense>
        ) : null}
        {person?.blocked ? (
          <Suspense fallback={null}>
            <BlockedNotice message={person.blocked.message} />
          </Suspense>
        ) : null}
        {operator.terms_version && person && !person.is_staff ? (
          <Suspense fallback={null}>
            <TermsPrompt />
          </Suspense>
        ) : null}
        {person?.is_staff && !actedFor() && FIRST_OF_STAFF.includes(page?.path) ? (
          <Suspense fallback={null}>
            <MissingNotice />
          </Suspense>
        ) : null}
        {page?.staffOnly ? (
          <Suspense fallback={null}>
            <StaffOnly needs={page.staffOnly} />
          </Suspense>
        ) : (
          <Outlet />
        )}
        {/* A chat fills the window, so its legal links are in the menu of the rail, and on a phone below the end of the window. */}
        <div className={page?.path.endsWith('/$chatId') ? 'pt-6 md:hidden' : undefined}>
          <LegalLinks />
        </div>
      </main>
      <MobileFooter />
      <EarlyShortcuts />
      {person?.access_review ? (
        <Suspense fallback={null}>
          <AccessReview />
        </Suspense>
      ) : null}
    </div>
  )
}
