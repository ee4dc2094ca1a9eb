import path from 'node:path'
import type { InlineConfig, Plugin } from 'vite'

const here = import.meta.dirname

/** Places of the viewer that would need styles as text, which our security policy refuses, and the text that takes their place. */
const edits: readonly (readonly [file: string, from: string, to: string])[] = [
  [
    '@scalar/api-reference/dist/components/ApiReference.vue_vue_type_script_setup_true_lang.js',
    'createBlock(resolveDynamicComponent("style"), { innerHTML: styleContent.value }, null, 8, ["innerHTML"])',
    'createCommentVNode("", true)',
  ],
  [
    '@scalar/highlight/dist/compat/syntax-highlight.js',
    ' style="--line-count: ${count}; --line-digits: ${count.toString().length};"',
    ' data-digits="${count.toString().length}"',
  ],
  ['@scalar/themes/dist/index.js', 'parent.setAttribute("style", ', 'parent.style.cssText = ('],
  ['@scalar/themes/dist/index.js', 'child.setAttribute("style", ', 'child.style.cssText = ('],
]

/** Makes the edits. Throws where a place is gone, so that another version of the viewer is looked at. */
const withoutStyles: Plugin = {
  name: 'hostdesk:without-styles',
  enforce: 'pre',
  transform(code, id) {
    const place = id.split(path.sep).join('/')
    let text = code
    for (const [file, from, to] of edits.filter(([name]) => place.endsWith(name))) {
      if (!text.includes(from)) throw new Error(`${file} has no ${from} any more.`)
      text = text.replace(from, to)
    }
    return text === code ? null : { code: text, map: null }
  },
}

/** Builds the viewer into a folder, with the licences of all that it brings. */
export const viteConfig = (outDir: string): InlineConfig => ({
  configFile: false,
  root: here,
  base: '/api/docs/reference/',
  logLevel: 'error',
  plugins: [withoutStyles],
  resolve: { alias: { '@scalar/use-toasts': path.join(here, 'no-toasts.js') } },
  build: { outDir, emptyOutDir: true, chunkSizeWarningLimit: 5000, license: { fileName: 'licences.md' } },
})
