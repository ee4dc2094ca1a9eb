import type { HtmlTagDescriptor, Plugin } from 'vite'

/**
 * Names the login page's code in the document, so that a first visit fetches it beside the rest instead of after it: a
 * round trip less on a phone. Whoever is signed in already fetches 3 kB too many, once.
 */
export function preloadLogin(page: string): Plugin {
  return {
    name: 'hostdesk:preload-login',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((chunk) => chunk.type === 'chunk')
        const login = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(page))
        const entry = chunks.find(({ isEntry }) => isEntry)
        if (!login || !entry) throw new Error(`No chunk of its own for ${page}: name the login page anew`)
        const known = new Set([entry.fileName, ...entry.imports])
        return [login.fileName, ...login.imports].filter((file) => !known.has(file)).map(preloadTag)
      },
    },
  }
}

const preloadTag = (file: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'modulepreload', crossorigin: true, href: `/account/${file}` },
  injectTo: 'head',
})
