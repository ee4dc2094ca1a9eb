import type { App } from '#foundation/server/app.ts'
import type { KeptVersion } from '#foundation/server/kept-settings/kept-settings.ts'
import type { CompanyVersion } from '#features/operations/company-contract.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { changesBetween } from './keep-section.ts'

/** Returns the versions as a page lists them, the newest first, each section with what the settings of the server say at its end. */
export async function historyOf<Section extends string>(
  app: App,
  versions: readonly KeptVersion[],
  sections: readonly Section[],
): Promise<(Omit<CompanyVersion, 'section'> & { section: Section })[]> {
  const names = await displayNames(
    app,
    app.db,
    versions.map(({ changed_by }) => changed_by),
  )
  const listed = sections.flatMap((section) => {
    const own = versions.filter((version) => version.section === section)
    return own.map((version, index) => ({
      section,
      version,
      before: own[index + 1],
      is_present: index === 0,
    }))
  })
  const shown = listed.map(({ section, version: kept, before, is_present }) => ({
    section,
    version: kept.version,
    changed_by: kept.changed_by === null ? null : names.of(kept.changed_by),
    changed_at: kept.changed_at.toISOString(),
    is_present,
    changes: changesBetween(before?.settings ?? {}, kept.settings),
  }))
  const first = sections
    .filter((section) => versions.some((version) => version.section === section))
    .map((section) => ({
      section,
      version: 1,
      changed_by: null,
      changed_at: null,
      is_present: false,
      changes: [],
    }))
  return [...shown.toSorted((one, other) => other.changed_at.localeCompare(one.changed_at)), ...first]
}
