import { spokenLanguage, t } from '#app/words/translate.ts'

/** What someone without the cookie sees. It holds no secret and nothing of the request. */
export const refusalPage = (): string => `<!doctype html>
<html lang="${spokenLanguage()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Assent</title>
<h1>${t`Assent does not know this page`}</h1>
<p>${t`Open Assent with the link that its terminal shows. Each link works once.`}</p>
<p>${t`For a new link, press Enter in the terminal where Assent runs, or start it again.`}</p>
</html>
`
