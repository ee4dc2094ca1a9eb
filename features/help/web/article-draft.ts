import { getHelpArticle, updateHelpArticle, type HelpArticle } from '#features/help/staff-contract.ts'
import { audiences } from '#features/help/rules.ts'
import { must } from '#foundation/must.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { fieldsOf, wordsIn } from './words.ts'

/** An article as its form holds it: a text for each field. */
type Draft = { version: number; [field: string]: string | number }

export const draftOf = ({
  id,
  version,
  section_id,
  audience,
  slug,
  rank,
  title,
  text,
  keywords,
}: HelpArticle): Draft => ({
  id,
  version,
  section_id,
  audience,
  slug,
  rank: String(rank),
  ...fieldsOf('title', title),
  ...fieldsOf('text', text),
  ...fieldsOf('keywords', keywords),
})

/** Saves the changed fields. */
export async function saveArticle(
  articleId: string,
  changes: Readonly<Record<string, string | undefined>>,
  version: number,
) {
  const { section_id, slug, rank, audience } = changes
  const [title, text, keywords] = [
    wordsIn(changes, 'title'),
    wordsIn(changes, 'text'),
    wordsIn(changes, 'keywords'),
  ]
  const answer = await call(updateHelpArticle, {
    params: { articleId },
    body: {
      ...(section_id === undefined ? {} : { section_id }),
      ...(slug === undefined ? {} : { slug }),
      ...(rank === undefined ? {} : { rank: Number(rank) }),
      ...(audience === undefined ? {} : { audience: must(audiences.find((one) => one === audience)) }),
      ...(title && { title }),
      ...(text && { text }),
      ...(keywords && { keywords }),
      version,
    },
  })
  if (answer.status === 200) {
    // The next publication is of this version.
    keepAnswer(answer, queryFor(getHelpArticle, { params: { articleId } }).queryKey, answer.body)
    return { ...answer, body: draftOf(answer.body) }
  }
  if (answer.status === 409 && 'present' in answer.body)
    return { ...answer, body: { ...answer.body, present: draftOf(answer.body.present) } }
  return answer
}
