import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// `npm start`. What is loaded after this line starts from compiled code, which halves a start. The cache is with the
// packages, where only their owner writes: in a folder open to all, anybody could put code to be run.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
const { start } = await import('./start/start.ts')
await start()
