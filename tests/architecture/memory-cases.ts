import type { Case } from './small-trees.ts'

/** Small trees that remember something of a copy of an App (rules.test.ts). */
export const memory: Case[] = ['WeakMap<App, Hub>', 'WeakSet<App>'].map((kept) => ({
  rule: 'what a process remembers belongs to its pool',
  broken: { 'foundation/server/realtime/hub.ts': `const hubs = new ${kept}()` },
  says: 'foundation/server/realtime/hub.ts: keep what a process remembers by app.pool',
  mended: { 'foundation/server/realtime/hub.ts': `const hubs = new ${kept.replace('App', "App['pool']")}()` },
}))
