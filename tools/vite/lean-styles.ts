import type { Plugin } from 'vite'

/**
 * Leaves out of the styles what Tailwind writes for browsers that know neither `@property` nor `color-mix`: the code of the pages does not
 * run in them (`build.target`).
 */
export function leanStyles(): Plugin {
  return {
    name: 'hostdesk:lean-styles',
    apply: 'build',
    // This runs after Tailwind, which stands before it.
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/styles.css')) return null
      const lean = code.replace(OLD_PROPERTIES, '').replaceAll(OLD_COLOURS, '$2')
      if (lean.length === code.length) return this.error('Tailwind writes nothing for old browsers any more')
      return { code: lean, map: null }
    },
  }
}

const OLD_PROPERTIES = /@layer properties\s*\{\s*@supports[^{]*\{[^{}]*\{[^{}]*\}\s*\}\s*\}/u
/** A rule, and the same with a mixed colour in its place. */
const OLD_COLOURS =
  /([^{}]+)\{[^{}]*\}\s*@supports \(color: ?color-mix\(in lab, red, red\)\) ?\{(\s*\1\{[^{}]*\})\s*\}/gu
