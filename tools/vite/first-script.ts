import type { Plugin } from 'vite'

/**
 * Gives the script that the document begins with a name with a hash, so that browsers keep it, and tells it the file of the frame, which it
 * asks for at once where somebody is signed in. Vite leaves a script that is no module as it is.
 */
export function firstScript(file: string, frame: string): Plugin {
  return {
    name: 'hostdesk:first-script',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: `./${file}` })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((one) => one.type === 'chunk')
        const script = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${file}`))
        const next = chunks.find(({ name }) => name === frame)
        if (!script || !next || script.imports.length > 0) throw new Error(`${file} is no script of its own`)
        return html.replace(
          `src="./${file}"`,
          `src="/account/${script.fileName}" data-frame="/account/${next.fileName}"`,
        )
      },
    },
  }
}
