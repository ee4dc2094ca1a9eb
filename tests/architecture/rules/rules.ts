import { foundByProof } from './addresses.ts'
import { calls } from './routes.ts'
import { textsCompiledFirst } from './before-texts.ts'
import { charges } from './charges.ts'
import { comments } from './comments.ts'
import { dialogsKnown } from './dialogs.ts'
import { editForms, editFormsShown, edits } from './edits.ts'
import { lateParts, pagesByRouter } from './late-parts.ts'
import { rolling } from './migrations.ts'
import { noProductWords } from './foundation.ts'
import { heights } from './heights.ts'
import { states } from './states.ts'
import { memory } from './memory.ts'
import { liveRegions } from './live-regions.ts'
import { glossary } from './glossary.ts'
import { leaning, listed, served, complete } from './features.ts'
import {
  decisionsComplete,
  decisionsStand,
  linksLead,
  rowsShown,
  rulesShown,
  settingsListed,
  shortDocs,
} from './docs.ts'
import { oneName, plainNames } from './names.ts'
import { operateCommands } from './operate-commands.ts'
import { pauses } from './pauses.ts'
import { storedAnswers } from './stored-answers.ts'
import { sizes } from './sizes.ts'
import { numbered, ownerless, owners } from './tables.ts'
import { verdicts } from './verdicts.ts'
import { codesHaveTexts, equalKeys, ownKeys, quoted, readKeys } from './texts.ts'
import type { Rule } from './tree.ts'
import { banned, exact, names, shared } from './banned-words.ts'

/** The rules about the files of the checkout, each under the sentence that names its test. */
export const rules: Readonly<Record<string, Rule>> = {
  'the list in features/README.md is the folders on disk': listed,
  'a feature leans only on those above it': leaning,
  'a feature is whole and mounted on both sides': complete,
  'the foundation knows no product': noProductWords,
  'every declared route is served': served,
  'every call has its name and a short summary': calls,
  'an edit names the version it changes': edits,
  'a plain form sends no edit': editForms,
  'an answer stores only what is still asked for': storedAnswers,
  'a caller is judged by the contract': verdicts,
  'money is charged by the sale alone': charges,
  'every form that edits is opened in two tabs': editFormsShown,
  'a part whose code comes later is waited for where it stands': lateParts,
  'a part of a page fails in its place': pagesByRouter,
  'every dialog is known to the walk over all pages': dialogsKnown,
  'a live region is there before its text': liveRegions,
  'a part takes the room that is left': heights,
  'a state has one source of its word': states,
  'what a process remembers belongs to its pool': memory,
  'every text is there in three languages': equalKeys,
  'a text key says whose it is': ownKeys,
  'every error code has its text': codesHaveTexts,
  'every text is read': readKeys,
  'a quotation mark is part of a text': quoted,
  'a thing has one word in each language': glossary,
  'what runs before the texts are compiled imports none': textsCompiledFirst,
  'files are small': sizes,
  'a table has one owner': owners,
  'no table is without an owner': ownerless,
  'a person is found by a proven address only': foundByProof,
  'migrations are numbered': numbered,
  'a migration leaves the release before running': rolling,
  'banned words': banned,
  'a comment begins with the thing it speaks of': comments,
  'file names say what they hold': names,
  'names are plain words': plainNames,
  'a thing has one name': oneName,
  'what both sides share is used by both': shared,
  'tests wait for what they want to see': pauses,
  'versions are exact': exact,
  'every promise is shown by a test': rowsShown,
  'every rule is shown by a test': rulesShown,
  'links in documents lead somewhere': linksLead,
  'documents are short': shortDocs,
  'a decision is whole': decisionsComplete,
  'a reference to a decision leads to one that stands': decisionsStand,
  'the README lists every setting': settingsListed,
  'commands for operators were tried': operateCommands,
}
