import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Part } from './parts.ts'

/** Returns one text with the licences of all parts: name, version and licence of each part, and its own licence file if it has one. */
export function licencesOf(parts: readonly Part[]): string {
  const list = parts.map(({ name, version, licence, where }) => `${name} ${version}  ${licence}  (${where})`)
  const texts = parts.map(
    (part) => `\n${'─'.repeat(80)}\n${part.name} ${part.version}: ${part.licence}\n\n${textOf(part)}\n`,
  )
  return [
    'Hostdesk is under the MIT licence (LICENSE). It contains these packages:',
    '',
    ...list,
    ...texts,
  ].join('\n')
}

function textOf({ name, folder }: Part): string {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice|third)/i.test(file))
  if (files.length > 0)
    return files
      .toSorted()
      .map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
      .join('\n\n')
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file))
  const text =
    readme && existsSync(path.join(folder, readme)) ? readFileSync(path.join(folder, readme), 'utf8') : ''
  return /^#+ Licen[cs][\s\S]*/im.exec(text)?.[0].trim() ?? `${name} brings no text of its licence.`
}
