// `npm run new-feature NAME`: writes the folder of a feature and mounts it on both sides. Its files pass every rule; their words
// are placeholders for you to replace.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { camelCase, featureFiles } from './feature-template.ts'

/** Returns the files that list every feature, by path, with the new one added last: it may import all others, and none imports it yet. */
export function mountedIn(name: string, read: (path: string) => string): Record<string, string> {
  const camel = camelCase(name)
  const lists = read('features/README.md').trimEnd()
  const number = (lists.match(/^\d+\. /gm)?.length ?? 0) + 1
  return {
    'features/README.md': `${lists}\n${number}. [${name}](${name}/README.md): what a person does here\n`,
    'features/paths.ts': read('features/paths.ts').replace(/\n\}/, `\n  ${camel}: pagePath('/${name}'),\n}`),
    'app/server/features.ts': mount(
      read('app/server/features.ts'),
      `import * as ${camel} from '#features/${name}/server/feature.ts'\n`,
      'features',
      camel,
    ),
    'app/web/features.ts': mount(
      read('app/web/features.ts'),
      `import * as ${camel} from '#features/${name}/web/feature.tsx'\n`,
      'features',
      camel,
    ),
  }
}

function mount(text: string, line: string, list: string, entry: string): string {
  const lastImport = text.lastIndexOf('\nimport ') + 1
  const after = text.indexOf('\n', lastImport) + 1
  return (text.slice(0, after) + line + text.slice(after)).replace(
    new RegExp(`(const ${list}[^=]*= \\[[^\\]]*?),?\\s*\\]`),
    `$1, ${entry}]`,
  )
}

function write(name: string): void {
  const files = { ...featureFiles(name), ...mountedIn(name, (path) => readFileSync(path, 'utf8')) }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const code = Object.keys(files).filter((path) => !path.endsWith('.md'))
  spawnSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', '--write', ...code], { stdio: 'inherit' })
  spawnSync(process.execPath, ['tools/compile-texts.ts'], { stdio: 'inherit' })
}

if (import.meta.main) {
  const [name = ''] = process.argv.slice(2)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || existsSync(`features/${name}`)) {
    process.stderr.write(
      'npm run new-feature NAME: a new name in kebab-case, the noun a customer would use.\n',
    )
    process.exitCode = 1
  } else {
    write(name)
    process.stdout.write(
      `features/${name}/ stands and is mounted. Read docs/walkthroughs.md for the next step.\n`,
    )
  }
}
