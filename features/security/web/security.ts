import { lazyPart } from '#foundation/web/lazy-page.tsx'

/** The dialog that sets up an authenticator app, for a page that asks for a second factor before anything else. */
export const SetUpTotp = lazyPart(() => import('./set-up-totp.tsx').then((file) => file.SetUpTotp))
