// Pieces of the small trees that break a rule (rules.test.ts).

/** A small tree that breaks a rule, the complaint of the rule, and the corrected tree. */
export type Case = {
  rule: string
  broken: Record<string, string>
  says: string
  mended: Record<string, string>
}

export const list = '1. [profile](profile/README.md): who\n2. [hosts](hosts/README.md): servers\n'
export const texts = (folder: string, en: string, de: string, ru: string) => ({
  [`${folder}/messages/en.json`]: en,
  [`${folder}/messages/de.json`]: de,
  [`${folder}/messages/ru.json`]: ru,
})
export const namedCall = (id: string, summary: string) =>
  `export const listHosts = route({\n  id: '${id}',\n  path: '/api/hosts/',\n  summary: '${summary}',\n})\n`
export const hosts = {
  'features/hosts/README.md': '# Hosts',
  'features/hosts/contract.ts': "export const listHosts = route({ path: '/api/hosts/' })",
  'features/hosts/server/feature.ts': 'export const routes = [hosts.listHosts]',
  'features/hosts/server/hosts.ts': 'export const listHosts = handler(contract.listHosts, async () => null)',
  'features/hosts/server/hosts.test.ts': '',
  'app/server/features.ts': "import { routes } from '#features/hosts/server/feature.ts'",
  'app/web/features.ts': "import { routes } from '#features/hosts/web/feature.tsx'",
}
export const users = { 'database/baseline/01_foundation.sql': 'create table users (id uuid);' }
export const readsUsers = "tx.selectFrom('users').select('id')"

export function without(files: Record<string, string>, path: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== path))
}
