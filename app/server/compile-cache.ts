import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * The folder of compiled code. Modules that are loaded after this one use it, which halves the time of a start. It is in node_modules,
 * where only the owner of the packages can write: into a folder open to all, anybody could put code for the product to run.
 */
export const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
enableCompileCache(COMPILE_CACHE)
