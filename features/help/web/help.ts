export { HelpLink, SuggestedArticles, useArticles } from './suggested.tsx'
