import type { Case } from './small-trees.ts'

/** Small trees with a part of a page whose code is loaded later, or with a dialog (rules.test.ts). */
export const lateParts: Case[] = [
  {
    rule: 'a part whose code comes later is waited for where it stands',
    broken: { 'features/hosts/web/chart.tsx': 'const Plot = lazyPart(load)\nreturn <Plot of={host} />' },
    says: 'features/hosts/web/chart.tsx: put Plot into a Suspense, or show it by useLoaded or useLazyDialog.',
    mended: {
      'features/hosts/web/chart.tsx':
        'const Plot = lazyPart(load)\nreturn <Suspense><Plot of={host} /></Suspense>',
    },
  },
  {
    rule: 'a part of a page fails in its place',
    broken: { 'features/hosts/web/chart.tsx': 'const Plot = lazyPage(load)' },
    says: 'features/hosts/web/chart.tsx: make a part of a page by lazyPart; lazyPage is for the router.',
    mended: {
      'features/hosts/web/chart.tsx': 'const Plot = lazyPart(load)',
      'app/web/router.tsx': 'const page = lazyPage(load)',
    },
  },
  {
    rule: 'every dialog is known to the walk over all pages',
    broken: { 'features/hosts/web/rename.tsx': 'return <FormDialog open={open} title={host.name} />' },
    says: 'features/hosts/web/rename.tsx: give its dialog a title of its own texts, or name one in rules/dialogs.ts.',
    mended: {
      'features/hosts/web/rename.tsx': 'return <FormDialog open={open} title={m.hosts_rename({ name })} />',
      'features/hosts/messages/en.json': '{ "hosts_rename": "Rename {name}" }',
    },
  },
]
