import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#foundation/server/config.ts'
import { plainStyles } from '#foundation/server/http/plain-page.ts'
import { coloursOf } from '#foundation/server/http/white-label.ts'

const frame = readFileSync(path.join(import.meta.dirname, 'public.css'), 'utf8')

/**
 * The style of public pages, in both themes as the browser prefers, with the operator's colours and the pages' `own` rules. The colours name
 * the dark theme by an attribute that only a script could set; here the browser's preference stands for it.
 */
export function publicStyle({ operator: { accentColor } }: Config, own: string): string {
  const [light = '', dark = ''] = accentColor ? coloursOf(accentColor).split('[data-theme=dark]') : []
  return `${plainStyles}${light}${dark && `@media (prefers-color-scheme:dark){:root${dark}}`}${frame}${own}`
}

/** An address names a style by its bytes: browsers keep it for a year. */
export const nameOfStyle = (sheet: string): string =>
  `style-${createHash('sha256').update(sheet).digest('hex').slice(0, 10)}.css`
