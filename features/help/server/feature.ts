import type { Handler } from '#foundation/server/http/handler.ts'
import { deleteHelpArticle, listHelpRevisions, publishHelpArticle, withdrawHelpArticle } from './publish.ts'
import { searchHelp, searchStaffHelp } from './search.ts'
import { createHelpSection, deleteHelpSection, updateHelpSection } from './sections.ts'
import { createHelpArticle, getHelpArticle, listHelp, updateHelpArticle } from './write.ts'

export const routes: readonly Handler[] = [
  searchHelp,
  searchStaffHelp,
  listHelp,
  createHelpSection,
  updateHelpSection,
  deleteHelpSection,
  createHelpArticle,
  getHelpArticle,
  updateHelpArticle,
  publishHelpArticle,
  withdrawHelpArticle,
  deleteHelpArticle,
  listHelpRevisions,
]
