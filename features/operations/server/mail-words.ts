import { locales } from '#foundation/locale.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { changedTo } from '#foundation/versions.ts'
import * as contract from '#features/operations/company-contract.ts'
import { hasKnownPlaceholders } from '#features/operations/company-fields.ts'
import { presentSeller } from './company.ts'
import { keepSection } from './keep-section.ts'

/** Answers `PATCH /api/staff/company/words/`. */
export const changeWords = handler(contract.changeWords, async ({ app, actor, caller, body }) => {
  const { words } = await presentSeller(app)
  const { version = words.version } = body
  const settings: Record<string, string> = {}
  for (const locale of locales) {
    const { [`closing_${locale}` as const]: closing } = body
    if (closing === undefined) continue
    if (!hasKnownPlaceholders(closing)) throw badRequest('unknown_placeholder', `closing_${locale}`)
    settings[`MAIL_CLOSING_${locale.toUpperCase()}`] = closing
  }
  const isKept = await keepSection(
    app,
    { by: actor.user_id, caller },
    { section: 'words', version, settings },
  )
  const { words: present } = await presentSeller(app)
  return isKept ? { status: 200, body: present } : changedTo(present)
})
