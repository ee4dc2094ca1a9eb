import { listStatementKeys, listStatementRoots } from '#features/statements/published.ts'
import type { StatementBody } from '#features/statements/shapes.ts'
import { call } from '#foundation/web/api/call.ts'
import { checkFile, fingerprintOf, type Checked, type Reason, type Trust } from './verify.ts'

/** The result of a file: a statement with what is proven of it, a document that a genuine statement names, or neither. */
export type Result = { name: string } & (
  | { state: 'genuine'; statement: StatementBody; followsGiven: boolean; documents: number }
  | { state: 'document'; number: string; month: string }
  | { state: 'refused'; reason: Reason | 'breaks_chain' }
)

/** The keys and roots that the installation publishes now; undefined if it does not answer. */
export async function publishedTrust(): Promise<Trust | undefined> {
  const keys = await call(listStatementKeys, {})
  const roots = await call(listStatementRoots, {})
  if (keys.status !== 200 || roots.status !== 200) return undefined
  return { ...keys.body, months: roots.body.months }
}

/** Checks files together: statements of one account follow each other, and documents are named by statements. */
export async function checkFiles(files: readonly File[], trust: Trust): Promise<Result[]> {
  const read = await Promise.all(
    files.map(async (file) => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      return { name: file.name, sha256: await fingerprintOf(bytes), told: await checkFile(bytes, trust) }
    }),
  )
  const genuine = read.flatMap(({ told }) => ('statement' in told ? [told] : []))
  const given = new Set(read.map(({ sha256 }) => sha256))
  return read.map(({ name, sha256, told }) =>
    'statement' in told
      ? { name, ...inChain(told, genuine, given) }
      : (documentIn(genuine, name, sha256) ?? { name, state: 'refused', reason: told.reason }),
  )
}

function inChain({ statement }: Checked, genuine: readonly Checked[], given: ReadonlySet<string>) {
  const { account, previous } = statement
  const before = genuine.find(
    (other) => other.statement.account === account && other.statement.month === previous?.month,
  )
  if (before && before.hash !== previous?.sha256) return { state: 'refused', reason: 'breaks_chain' } as const
  const documents = statement.documents.filter(({ files }) => files.some((file) => given.has(file.sha256)))
  return {
    state: 'genuine',
    statement,
    followsGiven: before !== undefined,
    documents: documents.length,
  } as const
}

function documentIn(genuine: readonly Checked[], name: string, sha256: string): Result | undefined {
  for (const { statement } of genuine)
    for (const { number, files } of statement.documents)
      if (files.some((file) => file.sha256 === sha256))
        return { name, state: 'document', number, month: statement.month }
  return undefined
}
