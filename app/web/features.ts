import type { PageRoute } from '#foundation/web/pages.ts'
import { routes as auth } from '#features/auth/web/routes.tsx'
import { routes as profile } from '#features/profile/web/routes.tsx'
import { routes as security } from '#features/security/web/routes.tsx'
import { routes as pagesToCome } from './pages-to-come/routes.tsx'

/** Every page of the product. A feature is mounted by its line here. */
export const pages: readonly PageRoute[] = [...profile, ...security, ...auth, ...pagesToCome]
