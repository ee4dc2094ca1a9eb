const HEADING = /^## (\S+)(?: – (\d{4}-\d{2}-\d{2}))?$/gm

type Section = { name: string; day: string | undefined; text: string }

/** Returns what CHANGELOG.md says of a version: the notes of its release. Throws where it has no section of that name with a day. */
export function notesOf(changelog: string, version: string): string {
  const section = sectionsOf(changelog).find(({ name }) => name === version)
  if (section?.day === undefined || section.text === '')
    throw new Error(`CHANGELOG.md has no section '## ${version} – YYYY-MM-DD' that says something.`)
  return `Hostdesk ${version}, ${section.day}\n\n${section.text}\n`
}

/** Returns true if CHANGELOG.md names changes that belong to no version yet. */
export const hasUnreleased = (changelog: string): boolean =>
  sectionsOf(changelog).some(({ name, text }) => name === 'Unreleased' && text !== '')

function sectionsOf(changelog: string): Section[] {
  const headings = [...changelog.matchAll(HEADING)]
  return headings.map(({ 0: heading, 1: name = '', 2: day, index }, place) => ({
    name,
    day,
    text: changelog.slice(index + heading.length, headings[place + 1]?.index).trim(),
  }))
}
