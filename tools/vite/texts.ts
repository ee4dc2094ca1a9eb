import type { Plugin } from 'vite'
import { compileTexts } from '#tools/compile-texts.ts'

/** Compiles the texts before a build and whenever a text changes under `npm run dev`. */
export function texts(): Plugin {
  return {
    name: 'hostdesk:texts',
    buildStart() {
      compileTexts()
    },
    configureServer(server) {
      server.watcher.on('change', (file) => {
        if (!/\/messages\/\w+\.json$/u.test(file)) return
        try {
          compileTexts()
        } catch (error) {
          server.config.logger.error(String(error))
        }
      })
    },
  }
}
