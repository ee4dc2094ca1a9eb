import { paths } from '#features/paths.ts'
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import type { AnyRoute, RouterHistory } from '@tanstack/react-router'
import { PAGES_BASE } from '#foundation/page-path.ts'
import { isSignedIn } from '#foundation/web/api/stored-session.ts'
import { searchOf } from '#foundation/web/navigation.tsx'
import type { PageRoute, StaffPageRoute } from '#foundation/web/pages.ts'
import { registerSlots } from '#foundation/web/slots.tsx'
import { clearProgressError, finishProgress, startProgress } from '#foundation/web/progress-bar/progress.ts'
import { m } from '#texts/messages.js'
import { linkNames } from '#features/auth/web/link-names.ts'
import { askToConfirm } from './requested-key.ts'
import { asPage, asView, withViews } from './auth-views.tsx'
import { keyToConfirm, askToSignOut, invitationIn } from './mail-links.ts'
import { pages as allPages } from './features.ts'
import { isFirstPage, raceWithTimeout } from './first-page.ts'
import { forgetDestination, keepDestination, takeDestination } from './return-to.ts'
import { lazyPage, PageLoadError, type LazyComponent } from '#foundation/web/lazy-page.tsx'
import { FailurePage } from './shell/error-page.tsx'
import { Frame } from './shell/frame.tsx'

/** Returns the router for all pages. Tests pass pages and a history of their own. */
export function createPageRouter(pages: readonly PageRoute[] = allPages, history?: RouterHistory) {
  let allLoaded = false
  const treeOf = routeTrees(async () => {
    if (allLoaded) return false
    const { staffPages, staffSlots } = await loadStaffPages()
    registerSlots(staffSlots)
    router.update({ ...router.options, routeTree: treeOf([...pages, ...staffPages]) })
    allLoaded = true
    return true
  })
  const router = createRouter({
    routeTree: treeOf(pages),
    ...(history ? { history } : {}),
    basepath: PAGES_BASE,
    // An address with or without a trailing slash leads to the page, and stays as it was written.
    trailingSlash: 'preserve',
    defaultPreload: 'intent',
    defaultPreloadDelay: 50,
    defaultErrorComponent: FailurePage,
    scrollRestoration: true,
    // The present page stays until the next one is loaded, instead of an empty page (rows R-08, T-08: the bar shows progress).
    defaultPendingMs: 60_000,
    parseSearch: searchOf,
    stringifySearch: (search) => {
      const query = new URLSearchParams(search as Record<string, string>).toString()
      return query === '' ? '' : `?${query}`
    },
  })
  // Each navigation runs the progress bar, and its end clears the bar's error (row R-08).
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && startProgress())
  router.subscribe('onResolved', () => {
    finishProgress()
    clearProgressError()
  })
  return router
}

type AnyPage = PageRoute | StaffPageRoute

const loadStaffPages = () =>
  import('./staff-features.ts').catch((cause: unknown) => {
    throw new PageLoadError('pages of staff', { cause })
  })

/**
 * Returns a function that makes a route tree of pages. Later trees reuse the components of the first one, so that the page on the
 * screen stays. `loadMore` adds the pages of staff to the router, and returns true if it added any.
 */
function routeTrees(loadMore: () => Promise<boolean>) {
  const loadShell = () => import('./shell/shell.tsx')
  const shellPage = lazyPage(() => loadShell().then((file) => file.Shell))
  const notFound: PageRoute = {
    path: '$',
    page: () => import('./shell/no-page.tsx').then((file) => file.NotFoundPage),
    title: m.shell_not_found,
  }
  const components = new Map<AnyPage, LazyComponent>()
  let signIn: LazyComponent | undefined
  const componentOf = (page: AnyPage) => {
    const component = components.get(page) ?? lazyPage(page.page)
    components.set(page, component)
    return component
  }

  return (pages: readonly AnyPage[]): AnyRoute => {
    const viewed = pages.filter(({ authView }) => authView !== undefined)
    const root = createRootRoute({ component: Frame, beforeLoad: (to) => guard(to, viewed) })
    const shell: AnyRoute = createRoute({
      getParentRoute: () => root,
      id: 'shell',
      component: shellPage,
      loader: async () => {
        await Promise.all([shellPage.preload(), loadShell().then((file) => file.shellData())])
      },
    })
    const unknown = routeOf(notFound, shell, componentOf(notFound), async ({ location }) => {
      if (!location.pathname.startsWith('/staff-') || !(await loadMore())) return
      throw redirect({
        to: location.pathname,
        search: searchOf(location.searchStr),
        hash: location.hash,
        replace: true,
      })
    })
    const withShell = pages.filter((page) => page.shell !== false)
    const withoutShell = pages.filter((page) => page.shell === false)
    return root.addChildren([
      shell.addChildren([...withShell.map((page) => routeOf(page, shell, componentOf(page))), unknown]),
      ...withoutShell.map((page) => {
        if (page.path !== paths.signIn.pattern) return routeOf(page, root, componentOf(page))
        const views = new Map(viewed.map((one) => [one.authView ?? '', componentOf(one)]))
        return routeOf(page, root, (signIn ??= withViews(componentOf(page), views)))
      }),
      homeRoute(root, pages),
      ...REDIRECTS.map(([path, to]) => redirectRoute(path, to, root)),
    ])
  }
}

const REDIRECTS = [
  [paths.servers.pattern, paths.hosts()],
  [paths.settings.pattern, paths.account()],
  [paths.invoices.pattern, paths.finances()],
] as const

/** Row R-07: redirects by sign-in. `replace` leaves no entry in the history, so that 'back' does not lead into the guard again. */
function guard(
  { location, preload }: { location: { pathname: string; searchStr: string }; preload: boolean },
  viewed: Parameters<typeof asView>[0],
) {
  const onAuthPage = /^\/auth\/?$/u.test(location.pathname)
  const view = isSignedIn() || onAuthPage ? undefined : asView(viewed, location.pathname, location.searchStr)
  if (view) throw redirectTo(view)
  if (!isSignedIn() && !onAuthPage) {
    // The address, such as the link of a mail, is kept: `/` redirects to it after the sign-in.
    if (!preload) keepDestination(location.pathname + location.searchStr)
    throw redirect({ to: `${paths.signIn()}/`, replace: true })
  }
  const invitation = onAuthPage ? invitationIn(location.searchStr) : undefined
  if (!isSignedIn() && invitation && !preload) keepDestination(invitation, undefined, localStorage)
  if (!isSignedIn()) return
  if (!onAuthPage) {
    // The kept address is forgotten, so that a person is not led away from the page that they opened.
    if (!preload && location.pathname !== '/') forgetDestination()
    return
  }
  // Signed-in users never see the auth page (row R-07), so links of mails that lead to it are handled here.
  const key = keyToConfirm(location.searchStr)
  const page = (key === undefined ? invitation : undefined) ?? asPage(viewed, location.searchStr)
  if (page) throw redirectTo(page)
  if (linkNames.reset in searchOf(location.searchStr) && !preload) askToSignOut()
  if (key !== undefined && !preload) askToConfirm(key)
  throw redirect({ to: '/', replace: true })
}

function routeOf(
  page: AnyPage,
  parent: AnyRoute,
  component: LazyComponent,
  beforeLoad?: (to: { location: { pathname: string; searchStr: string; hash: string } }) => Promise<void>,
): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: page.path,
    component,
    ...(beforeLoad ? { beforeLoad } : {}),
    loader: async ({ params }: { params: Record<string, string> }) => {
      const first = isFirstPage()
      // The data is fetched in parallel with the code. The page itself repeats a request that failed here, and reports it.
      const data = prefetch(page, params)?.catch(() => undefined)
      await component.preload()
      // The first page waits for its data and appears whole; a later page replaces the one on the screen at once.
      if (first) await raceWithTimeout(data)
    },
    staticData: { page },
  })
}

/** Fetches the data of a page of staff only for those who were allowed it last time: all others would be told twice that they have no access. */
function prefetch(page: AnyPage, params: Record<string, string>): Promise<unknown> | undefined {
  const { staffOnly } = page
  if (staffOnly === undefined) return page.prefetch?.(params)
  return import('./shell/staff-menu.ts').then(({ keptPermissions }) => {
    const kept = keptPermissions()
    const may = kept !== undefined && (staffOnly === true || kept.includes(staffOnly))
    return may ? page.prefetch?.(params) : undefined
  })
}

/** The route `/`, where a sign-in ends: it redirects to the page that was wanted before the sign-in, or else to the first page (row R-12). */
function homeRoute(root: AnyRoute, pages: readonly AnyPage[]): AnyRoute {
  return createRoute({
    getParentRoute: () => root,
    path: '/',
    async beforeLoad({ preload }) {
      const destination = preload ? undefined : takeDestination()
      if (destination !== undefined) throw redirectTo(destination)
      // Most people go on to their servers, which come while the profile says so.
      const hosts = pages.find(({ path }) => path === paths.hosts.pattern)
      void hosts?.prefetch?.({}).catch(() => {})
      throw redirectTo(await import('./home.ts').then((file) => file.homePage()))
    },
  })
}

function redirectTo(path: string) {
  const [to = '', query = ''] = path.split('?')
  return redirect({ to, search: searchOf(query), replace: true })
}

function redirectRoute(path: string, to: string, root: AnyRoute): AnyRoute {
  return createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true })
    },
  })
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: AnyPage
  }
}
