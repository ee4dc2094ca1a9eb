import { getHelpArticle, listHelp } from '#features/help/staff-contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'

/** An article was changed: what is shown of it is loaded anew. */
export function refreshArticle(): void {
  refreshQueries(getHelpArticle)
  refreshQueries(listHelp)
}
