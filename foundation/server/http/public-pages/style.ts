import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#foundation/server/config.ts'
import { plainStyles } from '#foundation/server/http/plain-page.ts'
import { coloursOf } from '#foundation/server/http/white-label.ts'

const frame = readFileSync(path.join(import.meta.dirname, 'public.css'), 'utf8')

/** The style of some public pages, and its address. */
export type PublicStyle = { sheet: (config: Config) => string; address: (config: Config) => string }

/**
 * The style of the public pages below `base`, in both themes as the browser prefers, with the operator's colours and the rules of the file
 * `own`. The address names the style by its bytes: browsers keep it for a year. Both are made once for a configuration.
 */
export function publicStyle(base: string, own: string): PublicStyle {
  const rules = readFileSync(own, 'utf8')
  const made = new WeakMap<Config, { sheet: string; address: string }>()
  const of = (config: Config) => {
    const known = made.get(config)
    if (known) return known
    const sheet = sheetFor(config, rules)
    const name = createHash('sha256').update(sheet).digest('hex').slice(0, 10)
    const style = { sheet, address: `${base}style-${name}.css` }
    made.set(config, style)
    return style
  }
  return { sheet: (config) => of(config).sheet, address: (config) => of(config).address }
}

/** The colours name the dark theme by an attribute that only a script could set; here the browser's preference stands for it. */
function sheetFor({ operator: { accentColor } }: Config, own: string): string {
  const [light = '', dark = ''] = accentColor ? coloursOf(accentColor).split('[data-theme=dark]') : []
  return `${plainStyles}${light}${dark && `@media (prefers-color-scheme:dark){:root${dark}}`}${frame}${own}`
}
