// All test files of a runner run one after the other in one page, so that modules are loaded once. This file runs anew before each test
// file and before its imports: nothing that an earlier test file left behind is there for the next one.
import { afterEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '#foundation/web/api/query.ts'
import { clearSession, seeSession, takeSignIn } from '#foundation/web/api/stored-session.ts'
import { startLocale } from '#foundation/web/i18n/locale.ts'
import { forgetSlots } from '#foundation/web/slots.tsx'
import { applyTheme } from '#foundation/web/theme/theme.ts'
import { clearToasts } from '#foundation/web/toasts/toasts.ts'
import { takeAway } from './render.tsx'
import { cutWire, resetWire } from './wire.ts'

vi.useRealTimers()
vi.restoreAllMocks()
vi.unstubAllGlobals()
localStorage.clear()
sessionStorage.clear()
document.body.replaceChildren()
document.title = ''
await page.viewport(1280, 800)
await cutWire()
await resetWire()

// The modules stay loaded, so their state is reset.
queryClient.clear()
clearSession(seeSession())
takeSignIn()
clearToasts()
forgetSlots()
startLocale()
applyTheme()

afterEach(takeAway)
