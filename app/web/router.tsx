import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import type { AnyRoute } from '@tanstack/react-router'
import { isSignedIn } from '#foundation/web/api/stored-session.ts'
import { searchOf } from '#foundation/web/navigation.tsx'
import type { PageRoute } from '#foundation/web/pages.ts'
import { clearProgressError, finishProgress, startProgress } from '#foundation/web/progress-bar/progress.ts'
import { m } from '#texts/messages.js'
import { pages } from './features.ts'
import { lazyPage } from './lazy-page.tsx'
import { FailurePage, NotFoundPage } from './shell/error-page.tsx'
import { Frame } from './shell/frame.tsx'

const root = createRootRoute({
  component: Frame,
  // Row R-07. Replacing leaves no entry in the history, so that 'back' does not lead into the guard again.
  beforeLoad: ({ location }) => {
    const onAuthPage = /^\/auth\/?$/u.test(location.pathname)
    if (!isSignedIn() && !onAuthPage) throw redirect({ to: '/auth/', replace: true })
    if (isSignedIn() && onAuthPage) throw redirect({ to: '/', replace: true })
  },
})

const shellPage = lazyPage(() => import('./shell/shell.tsx').then((file) => file.Shell))
const shell: AnyRoute = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: shellPage,
  loader: () => shellPage.preload(),
})

const redirects = [
  ['/', '/servers/list'],
  ['/servers', '/servers/list'],
  ['/settings', '/settings/account'],
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren([
      ...pages.filter((page) => page.shell !== false).map((page) => routeOf(page, shell)),
      notFound(),
    ]),
    ...pages.filter((page) => page.shell === false).map((page) => routeOf(page, root)),
    ...redirects.map(([path, to]) => redirectRoute(path, to)),
  ]),
  basepath: '/account',
  defaultPreload: 'intent',
  defaultPreloadDelay: 50,
  defaultErrorComponent: FailurePage,
  scrollRestoration: true,
  // Rather the present page for a moment than an empty one (rows R-08, T-08: the bar shows the way).
  defaultPendingMs: 60_000,
  parseSearch: searchOf,
  stringifySearch: (search) => {
    const query = new URLSearchParams(search as Record<string, string>).toString()
    return query === '' ? '' : `?${query}`
  },
})

router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && startProgress())
router.subscribe('onResolved', () => {
  finishProgress()
  clearProgressError()
})

function routeOf(page: PageRoute, parent: AnyRoute): AnyRoute {
  const component = lazyPage(page.page)
  return createRoute({
    getParentRoute: () => parent,
    path: page.path,
    component,
    loader: async ({ params }: { params: Record<string, string> }) => {
      // Beside the code, not after it; what fails here is asked again, and told, by the page itself.
      page.prefetch?.(params).catch(() => undefined)
      await component.preload()
    },
    staticData: { page },
  })
}

function notFound(): AnyRoute {
  const page = { path: '$', page: () => Promise.resolve(NotFoundPage), title: m.shell_not_found }
  return routeOf(page, shell)
}

function redirectRoute(path: string, to: string): AnyRoute {
  return createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to: to, replace: true })
    },
  })
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: PageRoute
  }
}
