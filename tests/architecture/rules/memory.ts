import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

/**
 * Handlers get copies of an App (for an owner, or near a replica): what is remembered of one belongs to one call alone, is found by no other,
 * and a hub of live streams was made, with its connection, for each word that a helper typed. All copies in a process share their pool.
 */
export const memory: Rule = ({ paths, read }) =>
  paths
    .filter((path) => isSource(path) && path.includes('/server/'))
    .filter((path) => /\b(?:Weak)?(?:Map<App\s*,|Set<App>)/.test(read(path)))
    .map((path) => `${path}: keep what a process remembers by app.pool, which copies of an App share.`)
