import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.signIn.pattern,
    page: () => import('./auth-page.tsx').then((file) => file.AuthPage),
    title: m.auth_sign_in,
    shell: false,
  },
  {
    path: paths.signOut.pattern,
    page: () => import('./logout-page.tsx').then((file) => file.LogoutPage),
    title: m.shell_logout,
    shell: false,
  },
]
