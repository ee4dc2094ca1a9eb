import { globSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { buildTexts } from '#tools/build.ts'
import { compileTexts } from '#tools/compile-texts.ts'

/** Compiles the texts before a build. Under `npm run dev` a changed text is compiled and reloads the open pages. */
export function texts(): Plugin {
  return {
    name: 'hostdesk:texts',
    // One module serves all texts: nothing is bundled under `npm run dev`, and each load of a page would fetch a thousand modules.
    // The folder of compiled texts is replaced as a whole, and a watcher may miss a part of that, so the sources are watched.
    config: (_, { command }) =>
      command === 'serve'
        ? {
            resolve: { alias: { '#texts/messages.js': path.resolve(compiled, 'messages-node.js') } },
            server: { watch: { ignored: [`${path.resolve(compiled)}/**`] } },
          }
        : {},
    buildStart() {
      compileTexts()
    },
    configureServer({ watcher, moduleGraph, ws, config: { logger } }) {
      watcher.add(globSync('{app,features,foundation}/**/messages/*.json').map((file) => path.resolve(file)))
      const reload = async (file: string) => {
        if (!/\/messages\/\w+\.json$/u.test(file)) return
        try {
          await buildTexts(process.cwd())
          for (const [name] of moduleGraph.fileToModulesMap)
            if (name.startsWith(path.resolve(compiled))) moduleGraph.onFileChange(name)
          ws.send({ type: 'full-reload' })
        } catch (error) {
          logger.error(String(error))
        }
      }
      // An editor that saves by renaming another file over the old one adds it.
      for (const event of ['change', 'add'] as const) watcher.on(event, (file) => void reload(file))
    },
  }
}

const compiled = '.generated/texts'
