import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { paths } from '#features/paths.ts'
import { fetchProfile, keptProfile, useProfile } from '#features/profile/web/hooks.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { hasJustSignedIn } from '#foundation/web/api/stored-session.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { queryClient } from '#foundation/web/api/query.ts'
import { operator } from '#foundation/web/operator.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { LegalLinks } from '#foundation/web/ui/legal-links.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { isFirstPage, raceWithTimeout } from '../first-page.ts'
import { EarlyShortcuts } from './early-shortcuts.tsx'
import { MobileFooter, StaffFooterItems } from './mobile-footer.tsx'
import { MobileHeader } from './mobile-header.tsx'
import { StaffSection } from './navigation-items.tsx'
import { SideRail } from './side-rail.tsx'
import { keptPermissions } from './staff-menu.ts'
import { useProfileFailure, useProfileLanguage, useProfileTimeZone } from './person.ts'
import { useOwnPages } from './acting-pages.ts'
import { useLivePages } from './use-live-pages.ts'
import { useUnreadInTitle } from './unread.ts'

/**
 * Waits a moment for the profile at the first page, so that the page is drawn once, whole, and not first with grey boxes; after a sign-in
 * longer, because nothing is kept from the last time that says who is staff; for staff also for their menu. Does nothing for later pages.
 */
export async function shellData(): Promise<void> {
  const isAfterSignIn = hasJustSignedIn()
  if (isFirstPage() || isAfterSignIn)
    await Promise.all([
      raceWithTimeout(fetchProfile(), isAfterSignIn ? PATIENCE_AFTER_SIGN_IN_ms : undefined),
      ...(keptPermissions() ? staffMenuCode() : []),
    ])
  if (!keptProfile()?.is_staff) return
  const menu = import('./load-staff-menu.ts').then((file) => file.loadStaffMenu()).catch(() => {})
  await Promise.all([
    keptPermissions() ? undefined : raceWithTimeout(menu, PATIENCE_AFTER_SIGN_IN_ms),
    ...staffMenuCode(),
  ])
}

const PATIENCE_AFTER_SIGN_IN_ms = 2000

/** A part that cannot be loaded says so in its place. */
const staffMenuCode = (): Promise<void>[] =>
  [StaffSection, StaffFooterItems].map((part) => part.preload().catch(() => {}))

const StaffOnly = lazyPart<{ needs: true | string }>(() =>
  import('./staff-only.tsx').then((file) => file.StaffOnly),
)

const AccessReview = lazyPart(() => import('../access-review.tsx').then((file) => file.AccessReview))

const BlockedNotice = lazyPart<{ message: string }>(() =>
  import('../blocked-notice.tsx').then((file) => file.BlockedNotice),
)

const DisabledNotice = lazyPart(() =>
  import('#features/webhooks/web/disabled-notice.tsx').then((file) => file.DisabledNotice),
)

const SetupNotice = lazyPart(() =>
  import('#features/operations/web/setup-list.tsx').then((file) => file.SetupNotice),
)

/** The pages that staff see first: the one that a sign-in leads to, and the desk. Today has the list in itself. */
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
  // A chat takes the room that all bars leave of the window, and only its messages scroll: its field and button are always in view.
  const isChat = page?.path.endsWith('/$chatId') ?? false
  return (
    // The window scrolls, not a box in it, so that phones hide their own bars, and a tap on the status bar scrolls to the top.
    <div
      className={classNames(
        'flex flex-col md:flex-row print:block',
        isChat ? 'h-dvh low:[&>:is(header,footer)]:hidden print:h-auto' : 'min-h-dvh print:min-h-0',
      )}
    >
      <SideRail />
      <MobileHeader spacer={page?.mobileHeader === 'spacer'} />
      <main
        id="content"
        tabIndex={-1}
        className={classNames(
          'min-w-0 flex-1 px-4 outline-none sm:px-6 lg:px-10 lg:py-10 print:p-0',
          isChat ? 'flex min-h-0 flex-col py-3 low:py-2 lg:low:py-2 print:block' : 'py-6',
        )}
      >
        <div
          data-bars
          className={isChat ? 'min-h-0 shrink-[999] overflow-y-auto [&>section]:static' : 'contents'}
        >
          {actedFor() ? (
            <Suspense fallback={<Coming />}>
              <ActingBand />
            </Suspense>
          ) : null}
          {person?.blocked ? (
            <Suspense fallback={<Coming />}>
              <BlockedNotice message={person.blocked.message} />
            </Suspense>
          ) : null}
          {person?.attention && !actedFor() ? (
            <Suspense fallback={<Coming />}>
              <DisabledNotice />
            </Suspense>
          ) : null}
          {operator.terms_version && person && !person.is_staff ? (
            <Suspense fallback={<Coming />}>
              <TermsPrompt />
            </Suspense>
          ) : null}
          {person?.is_staff && !actedFor() && FIRST_OF_STAFF.includes(page?.path) ? (
            <Suspense fallback={<Coming />}>
              <SetupNotice />
            </Suspense>
          ) : null}
        </div>
        {page?.staffOnly ? (
          <Suspense fallback={<Coming />}>
            <StaffOnly needs={page.staffOnly} />
          </Suspense>
        ) : (
          <Outlet />
        )}
        {isChat ? null : <LegalLinks />}
      </main>
      <MobileFooter withLinks={isChat} />
      <EarlyShortcuts />
      {person?.access_review ? (
        <Suspense fallback={null}>
          <AccessReview />
        </Suspense>
      ) : null}
    </div>
  )
}
