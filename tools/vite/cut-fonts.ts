import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { compress } from 'wawoff2'
import { must } from '#foundation/must.ts'
import { cutFont } from '#foundation/server/fonts/cut-font.ts'

/** The weights that the styles name; what is bolder is drawn with the boldest (fonts.css). */
const weights = { least: 400, usual: 400, most: 700 }

/** The OpenType features that are kept: those that place letters, figures of one width, and those that base.css asks for. */
const features = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum', 'cv11', 'ss03']

const FONT = /url\(\s*['"]?(@fontsource-variable\/inter\/[\w/-]+\.woff2)['"]?\s*\)/gu

/**
 * Leaves out of Inter the weights and features that no page draws, a third of what each first page fetches of it. The styles
 * and the document then name the smaller files, which lie beside the compiled texts.
 */
export function cutFonts(root = process.cwd()): Plugin {
  let found = false
  return {
    name: 'hostdesk:cut-fonts',
    apply: 'build',
    // This runs after the styles are joined, and before the addresses in them become those of files.
    enforce: 'pre',
    async transform(code, id) {
      if (!id.endsWith('.css')) return undefined
      const names = [...code.matchAll(FONT)].map(([, name]) => must(name))
      if (names.length === 0) return undefined
      found = true
      const files = new Map<string, string>()
      for (const name of names) files.set(name, await cut(name, path.join(root, '.generated/fonts')))
      return code.replaceAll(FONT, (_, name: string) => `url('${must(files.get(name))}')`)
    },
    // Without the preload the browser would load the font when it draws the first text, and then change the letters of that text.
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => path.basename(file).startsWith('inter-latin-'))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
              href: `/account/${file}`,
            },
          })),
    },
    generateBundle() {
      if (!found) this.error('No style names a file of Inter: is there another font in its place?')
    },
  }
}

/** Writes the smaller file and returns its path. A build that runs at the same time writes the same bytes. */
async function cut(name: string, folder: string): Promise<string> {
  const whole = readFileSync(createRequire(import.meta.url).resolve(name))
  const key = createHash('sha256')
    .update(whole)
    .update(JSON.stringify([weights, features]))
  const file = path.join(folder, `${path.basename(name, '.woff2')}-${key.digest('hex').slice(0, 8)}.woff2`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, await compress(await cutFont(whole, { weights, features })))
  return file
}
