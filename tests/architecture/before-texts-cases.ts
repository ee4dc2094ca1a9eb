import type { Case } from './small-trees.ts'

const rule = 'what runs before the texts are compiled imports none'

/** Small trees in which a fresh checkout could not start (rules.test.ts). */
export const beforeTexts: Case[] = [
  {
    rule,
    broken: {
      'app/server/start/start.ts': "import { settings } from '../settings.ts'",
      'app/server/settings.ts': "import {\n  most,\n} from '#features/profile/rules.ts'",
      'features/profile/rules.ts': "export { most } from './fields.ts'",
      'features/profile/fields.ts': "import { m } from '#texts/messages.js'",
    },
    says: 'app/server/start/start.ts imports app/server/settings.ts imports features/profile/rules.ts imports features/profile/fields.ts imports #texts/messages.js, and a fresh checkout has none',
    mended: {
      'app/server/start/start.ts': "import { settings } from '../settings.ts'\nawait import('./run.ts')",
      'app/server/settings.ts': "import type { Field } from '#features/profile/fields.ts'",
      'app/server/start/run.ts': "import { m } from '#texts/messages.js'",
      'features/profile/fields.ts': "import { m } from '#texts/messages.js'",
    },
  },
  {
    rule,
    broken: {
      'package.json': '{ "scripts": { "figures": "node --test tools/figures.ts" } }',
      'tools/figures.ts': "import '#texts/messages.js'",
    },
    says: 'tools/figures.ts imports #texts/messages.js, and a fresh checkout has none',
    mended: {
      'package.json': '{ "scripts": { "figures": "npm run texts && node tools/figures.ts" } }',
      'tools/figures.ts': "import '#texts/messages.js'",
    },
  },
]
