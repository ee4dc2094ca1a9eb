import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#foundation/server/config.ts'
import { plainStyles } from '#foundation/server/http/plain-page.ts'
import { coloursOf } from '#foundation/server/http/white-label.ts'

const own = readFileSync(path.join(import.meta.dirname, 'shop.css'), 'utf8')

/**
 * The style of the shop's pages, in both themes as the browser prefers, with the operator's colours. They name the dark theme by an attribute
 * that only a script could set; here the browser's preference stands for it.
 */
export function styleSheet({ operator: { accentColor } }: Config): string {
  const [light = '', dark = ''] = accentColor ? coloursOf(accentColor).split('[data-theme=dark]') : []
  return `${plainStyles}${light}${dark && `@media (prefers-color-scheme:dark){:root${dark}}`}${own}`
}

/** The address names the style by its bytes: browsers keep it for a year. */
export const styleAddress = (config: Config): string =>
  `/shop/style-${createHash('sha256').update(styleSheet(config)).digest('hex').slice(0, 10)}.css`
