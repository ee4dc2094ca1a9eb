import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

/** A height in shares of the window: `h-dvh`, `h-screen`, `h-[calc(100dvh-5rem)]`. A least or greatest height is none. */
const OF_WINDOW = /(?<![-\w])h-(?:[dsl]vh|screen|\[[^\]]*\d[dsl]?vh)/

/** A part whose height is counted from the window is pushed out of it by each bar that comes above. */
export const heights: Rule = ({ paths, read }) =>
  paths
    .filter((path) => isSource(path) && path.endsWith('.tsx') && !path.startsWith('app/web/shell/'))
    .filter((path) => OF_WINDOW.test(read(path)))
    .map(
      (path) =>
        `${path}: a height is counted from the window, as if nothing stood above or below. Take the room that the shell leaves, by flex-1 and min-h-0.`,
    )
