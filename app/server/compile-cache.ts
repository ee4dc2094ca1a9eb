import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * The folder of compiled code. Modules loaded after this one start from it, which halves a start. It is with the packages, where
 * only their owner writes: in a folder open to all, anybody could put code to be run.
 */
export const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
enableCompileCache(COMPILE_CACHE)
