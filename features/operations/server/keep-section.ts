import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import type { Kept } from '#foundation/server/config.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError, notFound, type FieldError } from '#foundation/server/http/http-error.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { handler } from '#foundation/server/http/handler.ts'
import {
  allOf,
  insertVersion,
  presentVersions,
  settingsOf,
  takeKeptSettings,
} from '#foundation/server/kept-settings/kept-settings.ts'
import { mailKinds } from '#foundation/server/mail/mail-template.ts'
import * as contract from '#features/operations/company-contract.ts'
import { changedFields } from '#features/operations/company-fields.ts'

/** The member who acts, and the call; null for the command line. */
export type By = { by: string | null; caller: Caller | null }

type Change = {
  section: string
  /** The version that is changed. */
  version: number
  settings: Kept
  /** True if the settings take the place of all that is kept of the section. */
  isWhole?: boolean
}

/**
 * Keeps a change of a section as its next version, with an entry in the audit, and lets this process go by it at once. Returns false if
 * somebody has changed the section since. Throws 400 where the settings do not go together.
 */
export async function keepSection(app: App, { by, caller }: By, change: Change): Promise<boolean> {
  const { section, version } = change
  const isKept = await transaction(app, 'system', async (tx) => {
    const present = await presentVersions(tx)
    const own = present.find((kept) => kept.section === section)
    if ((own?.version ?? 1) !== version) return false
    const before = own?.settings ?? {}
    const settings = change.isWhole ? change.settings : { ...before, ...change.settings }
    const others = present.filter((kept) => kept !== own)
    assertPossible(app, allOf([...others, { settings }]))
    const row = { section, version: version + 1, settings, changed_by: by }
    if (!(await insertVersion(tx, row))) return false
    const changes = changesBetween(before, settings)
    const detail = { by: by ?? 'command line', section, version: row.version, changes }
    const origin = caller && originOf(caller)
    await recordAction(tx, { user_id: null, act: 'company.changed', ...origin, detail })
    return true
  })
  await takeKeptSettings(app.config, app.db)
  return isKept
}

/** Answers `POST /api/staff/company/{section}/restore/`. */
export const restoreCompany = handler(
  contract.restoreCompany,
  async ({ app, actor, caller, params: { section }, body: { version, to } }) => {
    const isKnown = contract.sections.some((name) => name === section) || isMailSection(section)
    const settings = to === 1 ? {} : await settingsOf(app.db, section, to)
    if (!isKnown || !settings) throw notFound()
    const change = { section, version, settings, isWhole: true }
    if (!(await keepSection(app, { by: actor.user_id, caller }, change)))
      throw new HttpError(409, [{ code: 'changed' }])
    return { status: 204 }
  },
)

/** The words of a kind of mail are a section of their own. */
export const mailSection = (kind: string): string => `mail_${kind}`
const isMailSection = (section: string) => mailKinds.has(section.replace(/^mail_/, ''))

/** Returns what differs between two versions of a section, by the names of the page; null is what the settings of the server say. */
export const changesBetween = (before: Kept, after: Kept): contract.CompanyVersion['changes'] =>
  Object.keys({ ...before, ...after }).flatMap((setting) => {
    const field = changedFields[setting] ?? setting
    const [was, is] = [before[setting] ?? null, after[setting] ?? null]
    return was === is ? [] : [{ field, before: shownOf(field, was), after: shownOf(field, is) }]
  })

/** A picture is no text to be read. */
const shownOf = (field: string, value: string | null) => (field === 'logo' && value ? 'PNG' : value)

/** Throws 400 with the field of each setting that is refused. */
function assertPossible({ config }: App, kept: Kept): void {
  try {
    const { company } = config.rereadWith(kept)
    if (company.isIncomplete && !config.company.isIncomplete) throw badRequest('required', 'name')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new HttpError(400, error.lines.map(refusalIn))
  }
}

/** Each line begins with the name of the setting that is wrong. One that no page changes stands against the country. */
function refusalIn(line: string): FieldError {
  const param = changedFields[/^[A-Z_]+/.exec(line)?.[0] ?? '']
  if (param === undefined || param === 'zip')
    return { code: 'seller_not_possible', param: param ?? 'country' }
  return { code: line.includes('is missing') ? 'required' : 'invalid', param }
}
